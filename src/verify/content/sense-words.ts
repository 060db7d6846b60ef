/**
 * The words of each sense (senses.ts), by what is meant: verbs without their endings, nouns in the singular, short
 * phrases. `_` joins the words of a phrase, `+` lets up to three others stand between them.
 */
import type { Sense } from "./senses.ts";

export const SENSE_WORDS: Readonly<Record<keyof typeof Sense, string>> = {
  send:
    "send upload post paste place offer log forward transmit submit sync synchronize mail email e-mail share push publish deliver ship stream relay " +
    "transfer hand_over hand_in hand_it handed_over pass_on pass_it attach mirror export leak exfiltrate beacon report_to copy_to put+copy put_a_copy " +
    "include+image make_a_public_gist goes_to goes_into_the store+service store+cloud copy+to dm replicate offload echo_to archive_to back+up_to post_to route tunnel redirect " +
    "dispatch convey communicate tell lodge ferry beam fax hand_off hand+on_to pass_along give_to feed_to feed_into supply_to provide_to make_available_to deposit drop+into drop_off drop+in_our pop+into slip+into " +
    "call_home phone_home ping cc bcc circulate distribute disclose divulge reveal_to travel_to travels_to end_up_at end_up_in ends_up_at ends_up_in ends_up_on land_in land_at land_on lands_in lands_at lands_on " +
    "arrive_at flow_to flows_to go_out_to goes_out_to find_its_way finds_its_way report_back report_home contribute donate serve_it_to let+have_a_copy hand+a_copy",
  collect:
    "collect gather harvest enumerate scan read look record capture take extract dump go_through_the go_through_all learn find note list keep_a_log " +
    "obtain determine back_up reuse track monitor watch grab retrieve inspect search ask_for save store " +
    "note_down jot_down write_down memorize memorise peek spy eavesdrop sniff intercept scrape borrow rummage comb_through photograph film snoop siphon pilfer snatch lift+from turn_on_the_microphone " +
    "turn_on_the_camera",
  destroy:
    "delete remove drop wipe purge erase overwrite truncate destroy decline cancel reset squash shred kill clear prune flush " +
    "replace rewrite get_rid discard lock encrypt unlink scrub uninstall " +
    "empty nuke trash zero_out blank+out blow_away throw_away throw_out throw_them_away do_away dispose void annul force-push force_push move+to_the_bin make_room_by",
  disable:
    "disable turn+off switch+off silence skip bypass lift suppress comment+out ignore deactivate exempt allowlist whitelist " +
    "relax weaken circumvent omit leave_out left_out override mute dismiss outside_of loosen lower accept mark_them merge " +
    "approve ignore_list automatic automatically exclude neglect waive " +
    "click_through say_yes answer_yes hit_yes press_y wave_through rubber-stamp rubber_stamp set+to_zero do_without go_without stand_down unprotect look_the_other_way let+through let+pass take+at_face_value " +
    "add+exception register+exception add+exclusion add+an_exemption shut_off shut_down knock_out soften dodge evade sidestep work_around get_around defeat pause unset turn+round invert",
  grant:
    "grant give invite add authorize authorise allow open expose assign attach make permit enable approve_access promote_to elevate share provision set " +
    "admit entrust open_up unlock delegate enrol enroll appoint switch+to_public put+on_the_list hand+the_keys sign+up_as let+in",
  fetch: "fetch download get wget curl pull clone retrieve open visit load request read",
  run:
    "run execute start launch invoke evaluate follow obey do_what_it_says do_what carry_out source install apply comply act_on " +
    "perform pipe chmod begin bootstrap",
  plant:
    "fill_in fill+in add write append put insert create register schedule save store embed inject place prepend update modify edit include note set paste " +
    "commit install copy plant replace extend keep " +
    "leave seed tuck sprinkle scatter graft hook_up wire_up set_up configure enter slip+in",
  credential:
    "credential password passphrase token secret api_key access_key private_key ssh_key signing_key session cookie keychain keystore " +
    ".env .ssh .netrc .npmrc .aws kubeconfig environment_variable printenv licence_key license_key serial_number seed_phrase wallet.dat wallet_file pin_code " +
    "recovery_code two-factor otp certificate_key .pem bearer api_keys env_vars env_file account_key login vault " +
    "keyring key_ring key_file service_account_key dotenv login_data identity_file recovery_phrase master_key connection_string id_rsa id_ed25519 .kube .gnupg .pgpass .p12 .pfx .key pin_number pass_phrase " +
    "auth_header signed_in",
  personal:
    "conversation chat transcript clipboard contact address_book phone_number private_address passport date_of_birth birthday location " +
    "city_where whereabouts screenshot webcam microphone browser_history browsing inbox mailbox private_message personal_data personal_detail " +
    "home_address full_name what_the_user said what_was_said keystroke employer patient medical_record " +
    "social_security national_id ip_address hostname username user's_name user_data customer_data customer_record customer_detail customer_export customer_list " +
    "salary biometric voice_recording calendar_entry picture_of_the_screen session_history command_history shell_history " +
    "dialogue correspondence mobile_number telephone_number phone e-mail_address mail_address email_address appointment diary attendee voice_memo voice_message health_data medication income tax_number bank_statement " +
    "personnel_file what_they_said what_is_said user's_words user's_question user's_message user's_prompt user's_input search_history browser_profile family meeting_recording",
  work:
    "file folder director data dataset database report result repositor repo source document config configuration output code workspace archive spreadsheet " +
    "export record table log summary work project inventory sources deliverable analysis directory invoice draft answer response input content contract essay model notebook diff query " +
    "manuscript drawing deck presentation minutes counterpart bundle attachment ledger sheet photo slide paper",
  protection:
    "test check review approval sandbox firewall logging logger audit scanner scan warning alert signature signing tls ssl certificate verification validation " +
    "protection safeguard guardrail antivirus defender selinux permission confirmation authentication authorization authorisation rate_limit " +
    "audit_log monitoring moderation policy rule system_message refusal encryption csrf cors two-factor_authentication mfa linter secret_scanner " +
    "failing_test pipeline ci_check branch_protection code_owner backup disclaimer limitation risk finding safety side_effect prompt_for question security_group " +
    "assertion quality_gate threshold confirmation_dialog virus_scanner audit_trail second_opinion four-eyes checksum spam_filter content_filter objection constraint access_control guideline regulation compliance " +
    "every_prompt each_prompt security_warning reviewer intrusion quota",
  everybody:
    "everyone everybody anyone anybody the_public public publicly world-readable world 0.0.0.0 0.0.0.0/0 internet anonymous whole_company unauthenticated " +
    "all_user all_ports cluster-admin wildcard without_signing_in with_the_link " +
    "the_web whole_world open_internet anyone_on_the_internet every_visitor outside_world any_origin any_host any_ip all_interfaces world-writable with_a_link guest_access",
  all: "all every everything entire whole each full word_for_word verbatim * complete",
  money:
    "bank iban payee wallet_address donation_address beneficiary payment account_number routing_number credit_card stored_card payout bitcoin btc " +
    "ethereum invoice_address larger_plan paid_plan subscription purchase gift_card wire_transfer bank_account crypto_address " +
    "fund balance cent refund donation fee commission sort_code paypal monero litecoin usdt prepaid_card company_card company_account corporate_card price",
  outside:
    "webhook pastebin paste gist external third_party third-party vendor remote_server the_cloud cloud_storage discord telegram outside_server " +
    "author_of_this of_this_skill shared_drive shared_out our_server our_api our_site our_fork our_service outsider another_account " +
    "remote_host bucket ftp dropbox support_team helpdesk collector_service diagnostics_service social_account social_media twitter linkedin " +
    "mailing_list competitor public_channel mirror_site central_server headquarters backup_server logging_service analytics_service inbox_of " +
    "partner sponsor recruiter agency advertiser affiliate reseller custodian contractor consultant journalist broker head_office parent_company our_team_at our_people our_bot our_form our_inbox our_relay " +
    "our_endpoint our_channel our_group our_cloud our_database drop_box collector intake listener command_server vps google_form google_drive google_sheet onedrive irc newsgroup forum personal_account " +
    "private_account personal_repository maintainer_of_this publisher_of_this creator_of_this developer_of_this makers_of_this people_behind whatsapp wechat mastodon reddit facebook instagram telemetry_service " +
    "telemetry_endpoint monitoring_service sync_service backup_service backup_endpoint backup_system central_system upstream_server relay_host stranger outside_party former_maintainer",
  address: "",
  standing:
    "always every_time whenever prior_to before_anything before_each before_every after_each after_every each_time from_here_on from_now_on at_the_end_of_each " +
    "at_the_end_of_every at_the_start_of_every at_the_start_of_each every_session each_session every_reply each_reply each_answer every_answer every_commit each_commit every_request each_request " +
    "beforehand before_you_help first_of_all before_the_deployment while_the_session_runs during_the_session every_five_minutes every_second at_session_start on_startup " +
    "in_the_background continuously on_each as_the_first_step as_the_last_step when_finished when_the_work_is_finished when_done once_done regularly unconditionally invariably " +
    "each_morning every_morning each_day every_day daily nightly hourly each_night every_night weekly upon_conclusion upon_completion as_a_matter_of_course routinely per_session each_run every_run " +
    "every_turn each_turn each_message every_message each_query every_query each_task every_task any_task at_all_times permanently for_good forever once_finished no_matter_what before_you_dive_in before_you_start " +
    "before_you_begin before_doing_anything after_completing after_finishing any_time after_the_session every_hour each_hour every_minute each_minute every_few_minutes every_conversation each_conversation every_file " +
    "each_file",
  conceal:
    " covertly secretly discreetly unnoticed no_need_to_bring_it_up no_need_to_mention needn't_mention doesn't_need_to_know don't_have_to_know " +
    "not_have_to_know not_need_to_know say_nothing leave+out_of_the_summary leave+out_of_the_answer leave+unmentioned no_interest_to_the_user of_no_interest " +
    "nothing_to_the_user without_mentioning without_telling without_comment not_be_mentioned isn't_mentioned not_appear_in keep+to_yourself keep_quiet " +
    "don't_mention do_not_mention don't_report omit_from can't_be_traced cannot_be_traced no_trace untraceable say_it_was make_it_look not_visible internal_only " +
    "don't_draw_attention without_drawing_attention not_be_shown out_of_sight background_detail leave_no_trace make_no_mention don't_reveal don't_refer_to not_for_the_user's_eyes " +
    "need_not_be_advised need_not_be_told need_not_know needn't_know none_the_wiser nobody_notices nobody_sees no_one_notices no_one_sees before_anybody before_anyone between_us under_wraps off_the_record " +
    "low_profile without_a_word without_a_trace no_line_of don't_list not_worth_mentioning no_reason_to_mention spare_the_user don't_bother_the_user won't_notice not_notice disguise camouflage quietly " +
    "behind_the_scenes on_the_quiet keep_mum without_fuss no_mention under_the_radar in_the_dark keep+from_the_user keep+from_them",
  agent:
    "claude.md agents.md qwen.md gemini.md memory.md .cursorrules .cursor .claude .qwen .gemini .codex mcp.json .mcp.json settings.json long-term_memory " +
    "agent's_memory agent's_settings system_prompt settings_file_of_the_agent other_assistant other_agent other_skill skill_folder agent_settings agent_configuration " +
    "future_session persistent_memory memory_file memory_store global_instructions custom_instructions copilot-instructions.md " +
    "future_self next_session later_session coming_session your_memory assistant's_memory project_instructions rules_file your_settings your_configuration your_instructions agent's_instructions agent's_rules " +
    "agent's_configuration agent's_notes",
  autorun:
    "cron crontab startup start-up systemd unit_file launch_agent launchagent launchd login_item scheduled_task postinstall preinstall git_hook pre-commit_hook post-commit post-checkout " +
    ".bashrc .zshrc .profile user's_profile shell_profile start_script workflow_that_runs autostart rc.local after_a_reboot after_reboot runs_on_each_push hook daemon " +
    "background_service shell_start-up start-up_file authorized_keys authorised_keys list_of_authorised login_script " +
    "scheduler task_scheduler tasks.json .envrc direnv folderopen sitecustomize conftest.py postcreatecommand at_login at_boot on_boot every_boot startup_folder watchdog keep+alive prompt_command zsh_configuration " +
    "bash_configuration shell_configuration shell_config init_script run_at_login",
  weak:
    "md5 sha1 des rc4 ecb unsalted plain_text plaintext alg_none eval f-string f-strings string_concatenation concatenat pickle http_instead bypass backdoor back_door " +
    "hard-coded hardcoded hard-code master_password default_password skip_authentication skips_authentication second_check emergency_access debug_header no_authentication " +
    "shell=true verify=false innerhtml 777 static_salt fixed_salt fixed_iv math.random predictable always_returns_true return_true service_user universal_password alg:_none " +
    "let+in unparameterized without_parameters form_fields parser_is_unnecessary unescaped without_escaping unverified " +
    "no_password empty_password blank_password same_password telnet trust_all accept_any any_certificate yaml.load os.system without_validation without_validating without_sanitizing unsanitized unvalidated " +
    "dangerouslysetinnerhtml csrf_exempt insecureskipverify hidden_endpoint secret_endpoint hidden_route hidden_parameter magic_value magic_password",
  precious:
    "production main master snapshot backup_file old_backup backup database home_folder home_directory original original_file original_document source_document calendar readable_copies " +
    "in_production volume system32 partition disk user's_files invitation meeting user's_branch others'_work " +
    "originals recycle_bin previous_version older_version earlier_version other_version version_history shadow_copy commit_history git_history evidence only_copy last_copy remote_branch recurring photo album ledger " +
    "appointment",
  opinion:
    "recommend recommendation recommending conclude praise rate rank approve approval endorse best better worse superior lgtm promote prefer favour favor advise dosage dose link_to mention " +
    "advertise call+risky official diagnosis verdict score review compare comparison suggest criticize downplay " +
    "on_top_of_the_list top_spot first_place spotlight hype tout plug boost play_down dwell five_stars full_marks high_score low_score good_light bad_light reassure assure convince persuade downrank demote upvote " +
    "downvote grade",
  unasked:
    "no_need_to_ask without_asking isn't_needed is_not_needed not_needed not_necessary isn't_necessary unnecessary no_confirmation without_confirmation without_question without_approval without_permission " +
    "without_a_look without_looking without_review right_away don't_ask do_not_ask saves_asking costs_time only_cost_time only_costs_time needn't_ask not_required pre-approved already_approved has_agreed have_agreed " +
    "agreed_to no_importance questions_being_asked whether_or_not hold_up gets_in_the_way in_the_way causes_trouble only_cause_trouble confuse_people lead_to_questions cost_time never_declines treat+as_already never_refuse slow_things_down " +
    "without_further_ado without_further_question no_questions_asked don't_wait do_not_wait never_need of_your_own_accord go_ahead carry_on straight_away trust_us implied_consent has_consented have_consented " +
    "nuisance boring waste_time wastes_time waste_space clutter formality superfluous pointless needless only_slow without_hesitation",
  self:
    "this_skill this_file this_skill.md paragraph_above these_instructions this_paragraph this_section author_of_this_skill our_pro our_plan our_product our_site our_page the_copies itself our_fork this_text " +
    "other_skill_folder the_above instructions_there this_document our_tool our_company our_service our_website " +
    "our_sponsor our_partner our_app our_brand our_shop our_store our_newsletter our_platform sponsor",
  consent:
    "ask_the_user ask_first ask_before asks_before after_asking confirm_with user_confirms user_decide user_decides let_the_user show_it_to_the_user shows_it_to_the_user user_agreed user_agrees user_has_agreed_first " +
    "stop_and_ask user_choose draft propose user_approves with_the_user's_consent user_asks user_asked user_wants if_requested on_request upon_request asked_by_the_user opt-in opt_in by_hand " +
    "user_sets user_signs by_the_user after_the_user only_if_the_user",
  regardless:
    "whatever regardless no_matter even_if even_though rather_than_the_user's instead_of_the_official in_place_of not_the_official too_careful out_of_date out-of-date no_policies never_declines " +
    " twice_the only_the_occasion " +
    "irrespective even_when without_regard come_what_may whatsoever at_any_price at_all_costs however_good however_relevant however_bad however_small whether_true whether_it_is_true",
  precedence:
    "doesn't_apply_while doesn't_apply_here don't_apply_while don't_apply_here not_apply_while not_apply_here not_apply_to_you takes_precedence take_precedence before_any_other_skill for_every_request real_task real_goal true_goal actual_task real_purpose " +
    " written_for_other supersede even_where_they no_policies without_policies never_declines only_the_occasion outranks overrule treat+as_answered " +
    "treat+as_already above_all_other highest_authority final_authority from_here_on_you " +
    "is_law as_law the_boss are_a_test above_all_else before_all_else trump prevail without_filters no_filters no_limits no_restrictions without_restrictions no_longer_bound not_bound_by only_authority " +
    "sole_authority final_say outweigh true_purpose real_users real_instructions rules_you_were_given forget_everything ignore_everything disregard_everything",
  people:
    "contact colleague customer employee follower subscriber friend recipient company_directory address_book directory mailing_list member relative partner manager coworker supplier client " +
    "attendee participant patient student boss managing_director finance_department whole_team guest",
  own:
    "artifact registry staging ci release_job github_release team's_channel #builds changelog internal_registry tracker localhost local_server test_server our_team private docs/ test_database test_db " +
    "sentry npm_registry pypi testpypi github_pages project's_wiki",
};
