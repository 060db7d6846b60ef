/** The table of tokens: a provider's prefix and what follows it. */
export interface TokenForm {
  readonly name: string;
  /** What the token begins with; one of them is what the text is searched for. */
  readonly prefixes: readonly string[];
  /** What must follow, sticky. */
  readonly rest: RegExp;
  readonly accepts?: (token: string) => boolean;
}

/** Longest run without a separator: names joined by hyphens have short ones, keys a long one. */
const hasLongRun = (token: string) => /[0-9A-Za-z_]{16,}/.test(token) && /\d/.test(token);

/** Digits, and letters of both cases: no long name has them all. */
const isMixed = (token: string) => /\d/.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token);

const form = (
  name: string,
  prefixes: string,
  rest: RegExp,
  accepts?: TokenForm["accepts"],
): TokenForm => ({
  name,
  prefixes: prefixes.split(" "),
  rest,
  ...(accepts && { accepts }),
});

export const FORMS: readonly TokenForm[] = [
  form("aws-access-key", "AKIA ASIA ABIA ACCA", /[0-9A-Z]{16}(?![0-9A-Za-z])/y),
  form("aws-secret", "ABSK", /[0-9A-Za-z+/]{100,255}={0,2}/y),
  form("alibaba-access-key", "LTAI", /[0-9A-Za-z]{12,28}(?![0-9A-Za-z])/y),
  form("tencent-access-key", "AKID", /[0-9A-Za-z]{28,40}(?![0-9A-Za-z])/y),
  form("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", /[0-9A-Za-z]{36,255}/y),
  form("github-token", "github_pat_", /[0-9A-Za-z_]{22,255}/y),
  form(
    "gitlab-token",
    "glpat- glptt- glrt- glcbt- gldt- gloas- glsoat- glagent- glft- glffct- glimt- GR1348941",
    /[0-9A-Za-z_-]{20,255}/y,
  ),
  form("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-", /[\w%-]{10,255}/y),
  form("slack-token", "xapp- xoxe.", /[\w.-]{12,255}/y),
  form(
    "slack-webhook",
    "hooks.slack.com/",
    /(?:services|workflows|triggers)\/[A-Z]\w{6,20}\/[A-Z]?\w{6,40}\/[\w/]{16,80}/y,
  ),
  form("discord-webhook", "api/webhooks/", /\d{15,21}\/[\w-]{60,100}/y),
  form("teams-webhook", "webhook.office.com/webhookb2/", /[\w@-]{30,100}\/[\w/-]{30,200}/y),
  form("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", /[0-9A-Za-z]{16,255}/y),
  form("stripe-key", "whsec_", /[0-9A-Za-z+/]{24,255}={0,2}/y),
  form("npm-token", "npm_", /[0-9A-Za-z]{36}(?![0-9A-Za-z])/y),
  form("google-api-key", "AIza", /[0-9A-Za-z_-]{35}/y),
  form("google-oauth-token", "ya29.", /[0-9A-Za-z_-]{20,1024}/y),
  form("google-oauth-token", "GOCSPX-", /[0-9A-Za-z_-]{28}/y),
  form("google-oauth-token", "1//0", /[0-9A-Za-z_-]{40,255}/y),
  form("huggingface-token", "hf_ api_org_", /[0-9A-Za-z]{30,64}(?![0-9A-Za-z])/y),
  form("model-api-key", "sk-", /[0-9A-Za-z_-]{20,255}/y, hasLongRun),
  form("model-api-key", "gsk_ pplx- xai- r8_ tgp_v1_ fw_", /[0-9A-Za-z_-]{22,128}/y, hasLongRun),
  form("model-api-key", "nvapi- pcsk_", /[\w-]{40,128}/y, hasLongRun),
  form("model-api-key", "sk_", /[0-9a-f]{48}(?![0-9a-f])/y),
  form("jwt", "eyJ", /[\w-]{8,4096}\.eyJ[\w-]{8,8192}(?:\.[\w-]{8,1024}|\.(?![\w-]))/y),
  form("vendor-token", "pypi-", /[0-9A-Za-z_-]{50,255}/y),
  form("sendgrid-key", "SG.", /[\w-]{16,32}\.[\w-]{32,64}/y),
  form("vendor-token", "dop_v1_ doo_v1_ dor_v1_", /[0-9a-f]{64}/y),
  form("vendor-token", "dckr_pat_ dckr_oat_", /[\w-]{20,64}/y),
  form("vault-token", "hvs. hvb. hvr.", /[\w-]{24,512}/y),
  form("vendor-token", "dapi dkea", /[0-9a-f]{32}(?![0-9a-f])/y),
  form("vendor-token", "ATATT3 ATCTT3 ATBB", /[\w=-]{28,255}/y, hasLongRun),
  form("shopify-token", "shpat_ shpss_ shpca_ shppa_", /[0-9a-fA-F]{32}/y),
  form("vendor-token", "lin_api_ lin_oauth_", /[0-9A-Za-z]{32,128}/y),
  form("vendor-token", "figd_ figo_", /[\w-]{30,200}/y),
  form("vendor-token", "tvly-", /[\w-]{20,64}/y, hasLongRun),
  form("vendor-token", "AGE-SECRET-KEY-1", /[0-9A-Z]{58}/y),
  form("vendor-token", "ntn_", /\d{11}[0-9A-Za-z]{35}/y),
  form("vendor-token", "secret_", /[0-9A-Za-z]{43}(?![0-9A-Za-z])/y),
  form("vendor-token", "glc_", /[0-9A-Za-z+/]{32,400}={0,2}/y),
  form("vendor-token", "glsa_", /[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}/y),
  form("vendor-token", "ops_ey", /[0-9A-Za-z+/=]{100,1280}/y),
  form("vendor-token", "vcp_ vci_ vca_ vcr_ vck_", /[0-9A-Za-z]{20,60}/y, hasLongRun),
  form("vendor-token", "sntrys_ sntryu_", /[\w+/=-]{40,400}/y),
  form("vendor-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", /[\w.=-]{32,64}/y),
  form("vendor-token", "rubygems_", /[0-9a-f]{48}/y),
  form("vendor-token", "PMAK-", /[0-9a-f]{24}-[0-9a-f]{34}/y),
  form("vendor-token", "sq0atp- sq0csp- EAAAE", /[\w-]{22,64}/y, hasLongRun),
  form("vendor-token", "sbp_ sb_secret_", /[\w-]{22,64}/y, hasLongRun),
  form("vendor-token", "fo1_ fm2_", /[\w+/=-]{40,600}/y),
  form("vendor-token", "CFPAT- NRAK- NRJS- NRII-", /[\w-]{19,64}/y, hasLongRun),
  form("vendor-token", "dt0c01.", /[0-9A-Z]{24}\.[0-9A-Z]{64}/y),
  form("vendor-token", "tskey-", /[a-z]{3,12}-[0-9A-Za-z]{8,32}-[0-9A-Za-z]{16,64}/y),
  form("vendor-token", "nfp_", /[0-9A-Za-z]{36}(?![0-9A-Za-z])/y),
  form("vendor-token", "HRKU-", /[\w-]{36,64}/y),
  form("vendor-token", "pul-", /[0-9a-f]{40}/y),
  form("vendor-token", "key-", /[0-9a-f]{32}(?![0-9a-f])/y),
  form("vendor-token", "xkeysib-", /[0-9a-f]{64}-[0-9A-Za-z]{16}/y),
  form("vendor-token", "lsv2_pt_ lsv2_sk_", /[0-9a-f]{32}_[0-9a-f]{10}/y),
  form("vendor-token", "CCIPAT_ CCIPRJ_", /\w{20,40}_[0-9a-f]{40}/y),
  form("vendor-token", "bkua_ rdme_ phx_ phc_ doppler. dp.pt.", /[0-9A-Za-z]{36,80}/y),
  form("vendor-token", "EZAK EZTK", /[0-9A-Za-z]{40,64}/y, isMixed),
  form("vendor-token", "aio_", /[0-9A-Za-z]{28}(?![0-9A-Za-z])/y),
  form("vendor-token", "cio", /[0-9A-Za-z]{32}(?![0-9A-Za-z])/y, isMixed),
  form("vendor-token", "sk.eyJ", /[\w-]{20,400}\.[\w-]{20,100}/y),
  form("vendor-token", "sl.A sl.B sl.C sl.u.", /[\w-]{60,2048}/y, hasLongRun),
  form("vendor-token", "EAAC EAAB EAAG EAAJ", /[0-9A-Za-z]{60,400}(?![0-9A-Za-z])/y, isMixed),
];
