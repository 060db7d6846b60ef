/**
 * What a word of an order can stand for. Attacks are told apart by what is done, to what, and for whom, not by
 * their sentences: each of these is a list of words and short phrases, in any form.
 *
 * `_` joins the words of a phrase, `+` lets up to three others stand between them.
 */

/** A bit each, so that a sentence's senses are one number. */
export const Sense = {
  /** Leaves the machine, or is handed on. */
  send: 1 << 0,
  /** Is brought together, read, looked for. */
  collect: 1 << 1,
  /** Goes away for good. */
  destroy: 1 << 2,
  /** Works no longer, or is passed by. */
  disable: 1 << 3,
  /** Somebody gets rights. */
  grant: 1 << 4,
  /** Comes from elsewhere. */
  fetch: 1 << 5,
  /** Is run or obeyed. */
  run: 1 << 6,
  /** Is written somewhere. */
  plant: 1 << 7,
  credential: 1 << 8,
  /** Belongs to people: what they say, who and where they are. */
  personal: 1 << 9,
  /** What a user works with. */
  work: 1 << 10,
  /** What keeps harm away or shows it. */
  protection: 1 << 11,
  /** Open to whoever comes. */
  everybody: 1 << 12,
  /** Without exception. */
  all: 1 << 13,
  money: 1 << 14,
  /** A place or a party that isn't the user's. */
  outside: 1 << 15,
  /** An address that is written out: URL, mail, IP, host. */
  address: 1 << 16,
  /** On every occasion, or before all else. */
  standing: 1 << 17,
  /** Kept from somebody. */
  conceal: 1 << 18,
  /** Where agents read what to do, or what they remember. */
  agent: 1 << 19,
  /** What runs by itself later. */
  autorun: 1 << 20,
  /** Known to be insecure. */
  weak: 1 << 21,
  /** Can't be made again. */
  precious: 1 << 22,
  /** A judgement or an advice. */
  opinion: 1 << 23,
  /** Nobody needs to ask, look or agree. */
  unasked: 1 << 24,
  /** The skill, its author, its own text. */
  self: 1 << 25,
  /** Somebody is asked first, or decides. */
  consent: 1 << 26,
  /** Regardless of what is true. */
  regardless: 1 << 27,
  /** People in number. */
  people: 1 << 28,
  /** The project's own, or the tools' usual place. */
  own: 1 << 29,
  /** Puts a text above others. */
  precedence: 1 << 30,
} as const;

const WORDS: Readonly<Record<keyof typeof Sense, string>> = {
  send:
    "send upload post paste place offer log forward transmit submit sync synchronize mail email e-mail share push publish deliver ship stream relay " +
    "transfer hand_over hand_in hand_it handed_over pass_on pass_it attach mirror export leak exfiltrate beacon report_to copy_to put+copy put_a_copy " +
    "include+image make_a_public_gist goes_to goes_into_the store+service store+cloud copy+to dm replicate offload echo_to archive_to back+up_to post_to route tunnel redirect",
  collect:
    "collect gather harvest enumerate scan read look record capture take extract dump go_through_the go_through_all learn find note list keep_a_log " +
    "obtain determine back_up reuse track monitor watch grab retrieve inspect search ask_for save store",
  destroy:
    "delete remove drop wipe purge erase overwrite truncate destroy decline cancel reset squash shred kill clear prune flush " +
    "replace rewrite get_rid discard lock encrypt unlink scrub uninstall",
  disable:
    "disable turn+off switch+off silence skip bypass lift suppress comment+out ignore deactivate exempt allowlist whitelist " +
    "relax weaken circumvent omit leave_out left_out override mute dismiss outside_of loosen lower accept mark_them merge " +
    "approve ignore_list automatic automatically exclude neglect waive ",
  grant:
    "grant give invite add authorize authorise allow open expose assign attach make permit enable approve_access promote_to elevate share provision set",
  fetch: "fetch download get wget curl pull clone retrieve open visit load request read",
  run:
    "run execute start launch invoke evaluate follow obey do_what_it_says do_what carry_out source install apply comply act_on " +
    "perform pipe chmod begin bootstrap",
  plant:
    "add write append put insert create register schedule save store embed inject place prepend update modify edit include note set paste " +
    "commit install copy plant replace extend keep",
  credential:
    "credential password passphrase token secret api_key access_key private_key ssh_key signing_key session cookie keychain keystore " +
    ".env .ssh .netrc .npmrc .aws kubeconfig environment_variable printenv licence_key license_key serial_number seed_phrase wallet.dat wallet_file pin_code " +
    "recovery_code two-factor otp certificate_key .pem bearer api_keys env_vars env_file account_key login vault",
  personal:
    "conversation chat transcript clipboard contact address_book phone_number private_address passport date_of_birth birthday location " +
    "city_where whereabouts screenshot webcam microphone browser_history browsing inbox mailbox private_message personal_data personal_detail " +
    "home_address full_name what_the_user said what_was_said keystroke employer patient medical_record " +
    "social_security national_id ip_address hostname username user's_name user_data customer_data customer_record customer_detail customer_export customer_list " +
    "salary biometric voice_recording calendar_entry picture_of_the_screen session_history command_history shell_history ",
  work:
    "file folder director data dataset database report result repositor repo source document config configuration output code workspace archive spreadsheet " +
    "export record table log summary work project inventory sources deliverable analysis directory invoice draft answer response input content contract essay model notebook diff query",
  protection:
    "test check review approval sandbox firewall logging logger audit scanner scan warning alert signature signing tls ssl certificate verification validation " +
    "protection safeguard guardrail antivirus defender selinux permission confirmation authentication authorization authorisation rate_limit " +
    "audit_log monitoring moderation policy rule system_message refusal encryption csrf cors two-factor_authentication mfa linter secret_scanner " +
    "failing_test pipeline ci_check branch_protection code_owner backup disclaimer limitation risk finding safety side_effect prompt_for question security_group",
  everybody:
    "everyone everybody anyone anybody the_public public publicly world-readable world 0.0.0.0 0.0.0.0/0 internet anonymous whole_company unauthenticated " +
    "all_user all_ports cluster-admin wildcard without_signing_in with_the_link",
  all: "all every everything entire whole each full word_for_word verbatim * complete",
  money:
    "bank iban payee wallet_address donation_address beneficiary payment account_number routing_number credit_card stored_card payout bitcoin btc " +
    "ethereum invoice_address larger_plan paid_plan subscription purchase gift_card wire_transfer bank_account crypto_address",
  outside:
    "webhook pastebin paste gist external third_party third-party vendor remote_server the_cloud cloud_storage discord telegram outside_server " +
    "author_of_this of_this_skill shared_drive shared_out our_server our_api our_site our_fork our_service outsider another_account " +
    "remote_host bucket ftp dropbox support_team helpdesk collector_service diagnostics_service social_account social_media twitter linkedin " +
    "mailing_list competitor public_channel mirror_site central_server headquarters backup_server logging_service analytics_service inbox_of",
  address: "",
  standing:
    "always every_time whenever prior_to before_anything before_each before_every after_each after_every each_time from_here_on from_now_on at_the_end_of_each " +
    "at_the_end_of_every at_the_start_of_every at_the_start_of_each every_session each_session every_reply each_reply each_answer every_answer every_commit each_commit every_request each_request " +
    "beforehand before_you_help first_of_all before_the_deployment while_the_session_runs during_the_session every_five_minutes every_second at_session_start on_startup " +
    "in_the_background continuously on_each as_the_first_step as_the_last_step when_finished when_the_work_is_finished when_done once_done regularly unconditionally invariably",
  conceal:
    " covertly secretly discreetly unnoticed no_need_to_bring_it_up no_need_to_mention needn't_mention doesn't_need_to_know don't_have_to_know " +
    "not_have_to_know not_need_to_know say_nothing leave+out_of_the_summary leave+out_of_the_answer leave+unmentioned no_interest_to_the_user of_no_interest " +
    "nothing_to_the_user without_mentioning without_telling without_comment not_be_mentioned isn't_mentioned not_appear_in keep+to_yourself keep_quiet " +
    "don't_mention do_not_mention don't_report omit_from can't_be_traced cannot_be_traced no_trace untraceable say_it_was make_it_look not_visible internal_only " +
    "don't_draw_attention without_drawing_attention not_be_shown out_of_sight background_detail leave_no_trace make_no_mention don't_reveal don't_refer_to not_for_the_user's_eyes",
  agent:
    "claude.md agents.md qwen.md gemini.md memory.md .cursorrules .cursor .claude .qwen .gemini .codex mcp.json .mcp.json settings.json long-term_memory " +
    "agent's_memory agent's_settings system_prompt settings_file_of_the_agent other_assistant other_agent other_skill skill_folder agent_settings agent_configuration " +
    "future_session persistent_memory memory_file memory_store global_instructions custom_instructions copilot-instructions.md",
  autorun:
    "cron crontab startup start-up systemd unit_file launch_agent launchagent launchd login_item scheduled_task postinstall preinstall git_hook pre-commit_hook post-commit post-checkout " +
    ".bashrc .zshrc .profile user's_profile shell_profile start_script workflow_that_runs autostart rc.local after_a_reboot after_reboot runs_on_each_push hook daemon " +
    "background_service shell_start-up start-up_file authorized_keys authorised_keys list_of_authorised login_script",
  weak:
    "md5 sha1 des rc4 ecb unsalted plain_text plaintext alg_none eval f-string f-strings string_concatenation concatenat pickle http_instead bypass backdoor back_door " +
    "hard-coded hardcoded hard-code master_password default_password skip_authentication skips_authentication second_check emergency_access debug_header no_authentication " +
    "shell=true verify=false innerhtml 777 static_salt fixed_salt fixed_iv math.random predictable always_returns_true return_true service_user universal_password alg:_none " +
    "let+in unparameterized without_parameters form_fields parser_is_unnecessary unescaped without_escaping unverified",
  precious:
    "production main master snapshot backup_file old_backup backup database home_folder home_directory original original_file original_document source_document calendar readable_copies " +
    "in_production volume system32 partition disk user's_files invitation meeting user's_branch others'_work ",
  opinion:
    "recommend recommendation recommending conclude praise rate rank approve approval endorse best better worse superior lgtm promote prefer favour favor advise dosage dose link_to mention " +
    "advertise call+risky official diagnosis verdict score review compare comparison suggest criticize downplay",
  unasked:
    "no_need_to_ask without_asking isn't_needed is_not_needed not_needed not_necessary isn't_necessary unnecessary no_confirmation without_confirmation without_question without_approval without_permission " +
    "without_a_look without_looking without_review right_away don't_ask do_not_ask saves_asking costs_time only_cost_time only_costs_time needn't_ask not_required pre-approved already_approved has_agreed have_agreed " +
    "agreed_to no_importance questions_being_asked whether_or_not hold_up gets_in_the_way in_the_way causes_trouble only_cause_trouble confuse_people lead_to_questions cost_time never_declines treat+as_already never_refuse slow_things_down",
  self:
    "this_skill this_file this_skill.md paragraph_above these_instructions this_paragraph this_section author_of_this_skill our_pro our_plan our_product our_site our_page the_copies itself our_fork this_text " +
    "other_skill_folder the_above instructions_there this_document our_tool our_company our_service our_website",
  consent:
    "ask_the_user ask_first ask_before asks_before after_asking confirm_with user_confirms user_decide user_decides let_the_user show_it_to_the_user shows_it_to_the_user user_agreed user_agrees user_has_agreed_first " +
    "stop_and_ask user_choose draft propose user_approves with_the_user's_consent user_asks user_asked user_wants if_requested on_request upon_request asked_by_the_user opt-in opt_in by_hand",
  regardless:
    "whatever regardless no_matter even_if even_though rather_than_the_user's instead_of_the_official in_place_of not_the_official too_careful out_of_date out-of-date no_policies never_declines " +
    " twice_the only_the_occasion ",
  precedence:
    "doesn't_apply_while doesn't_apply_here don't_apply_while don't_apply_here not_apply_while not_apply_here not_apply_to_you takes_precedence take_precedence before_any_other_skill for_every_request real_task real_goal true_goal actual_task real_purpose " +
    " written_for_other supersede even_where_they no_policies without_policies never_declines only_the_occasion outranks overrule treat+as_answered " +
    "treat+as_already above_all_other highest_authority final_authority from_here_on_you",
  people:
    "contact colleague customer employee follower subscriber friend recipient company_directory address_book directory mailing_list member relative partner manager coworker supplier client",
  own:
    "artifact registry staging ci release_job github_release team's_channel #builds changelog internal_registry tracker localhost local_server test_server our_team private docs/ test_database test_db " +
    "sentry npm_registry pypi testpypi github_pages project's_wiki",
};

interface Phrase {
  /** After the first word, each in its forms. */
  readonly rest: readonly ReadonlySet<string>[];
  readonly sense: number;
  /** Up to so many other words may stand between two of it. */
  readonly gap: number;
}

export interface Entry {
  /** Of the word alone. */
  readonly sense: number;
  /** That begin with it. */
  readonly phrases: readonly Phrase[];
  /** Of the word and of all its phrases. */
  readonly atMost: number;
}

/** What is done; the other senses are what it is done to, for whom and how. */
export const ACTS =
  Sense.send |
  Sense.collect |
  Sense.destroy |
  Sense.disable |
  Sense.grant |
  Sense.fetch |
  Sense.run |
  Sense.plant;

/** Words by their forms, in lower case. */
export const SENSES: ReadonlyMap<string, Entry> = entries();

function entries(): Map<string, Entry> {
  const known = new Map<string, Entry>();
  for (const [name, words] of Object.entries(WORDS)) {
    const sense = Sense[name as keyof typeof Sense];
    for (const each of words.split(" ")) addWord(known, each, sense);
  }
  return known;
}

function addWord(known: Map<string, Entry>, written: string, sense: number): void {
  const [first = "", ...rest] = written.split(/[_+]/);
  if (first === "") return;
  const phrase = {
    rest: rest.map((word) => new Set(formsOf(word))),
    sense,
    gap: written.includes("+") ? 3 : 0,
  };
  for (const form of (sense & ACTS) === 0 ? formsOf(first) : ordersOf(first))
    known.set(form, extended(known.get(form), phrase));
}

function extended(
  { sense, phrases, atMost }: Entry = { sense: 0, phrases: [], atMost: 0 },
  phrase: Phrase,
): Entry {
  const all = atMost | phrase.sense;
  if (phrase.rest.length > 0) return { sense, phrases: [...phrases, phrase], atMost: all };
  return { sense: sense | phrase.sense, phrases, atMost: all };
}

/** A verb without its third person, which tells of something more often than it orders it. */
function ordersOf(word: string): string[] {
  return formsOf(word).filter((form) => form === word || !form.endsWith("s"));
}

/** A word with the endings of nouns and verbs; forms that don't exist do no harm. */
function formsOf(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [word, `${word}s`];
  const stem = word.replace(/e$/, "");
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/.test(word) ? word + word.at(-1) : stem;
  const forms = [word, `${word}s`, `${stem}es`, `${stem}ed`, `${stem}ing`];
  if (word.endsWith("y")) forms.push(`${word.slice(0, -1)}ies`, `${word.slice(0, -1)}ied`);
  if (doubled !== stem) forms.push(`${doubled}ed`, `${doubled}ing`);
  return forms;
}
