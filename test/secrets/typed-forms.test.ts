/** Secrets that commands, statements and prompts are given; and what looks like them. */
import { expect, it } from "vitest";
import { createRedactor } from "../../src/secrets/redactor.ts";

const SECRET = ["hR7k", "Q2mZx9", "Tw4"].join("");
const ATLAS = ["aB3dE5fG7hI9jK", "atlasv1", "x7Gq2LmN0pRs4TvW".repeat(4)].join(".");

const GIVEN: readonly string[] = [
  `os.Setenv("API_TOKEN", "${SECRET}")`,
  `std::env::set_var("API_TOKEN", "${SECRET}");`,
  `os.environ.setdefault("DB_PASSWORD", "${SECRET}")`,
  `CREATE USER 'app'@'%' IDENTIFIED BY '${SECRET}';`,
  `ALTER USER app IDENTIFIED WITH caching_sha2_password BY '${SECRET}';`,
  `create role app with password '${SECRET}';`,
  `CREATE ROLE app WITH LOGIN PASSWORD '${SECRET}';`,
  `ALTER USER app WITH ENCRYPTED PASSWORD '${SECRET}';`,
  `mongosh -u me -p ${SECRET} --host db`,
  `mongodump --db parcels -u me -p '${SECRET}'`,
  `htpasswd -b .htpasswd me ${SECRET}`,
  `htpasswd -c -b /etc/nginx/users me ${SECRET}`,
  `htpasswd -nbB me ${SECRET}`,
  `unzip -P ${SECRET} parcels.zip`,
  `zip -r -P ${SECRET} parcels.zip src`,
  `7z x -p${SECRET} parcels.7z`,
  `lftp -u me,${SECRET} sftp://files.example.com`,
  `ldapsearch -x -D cn=admin,dc=example -w ${SECRET} -b dc=example`,
  `net use Z: \\\\files\\parcels /user:me ${SECRET}`,
  `net use \\\\files\\parcels ${SECRET} /user:me`,
  `nmcli dev wifi connect Office password ${SECRET}`,
  `echo '${SECRET}' | sudo -S apt-get update`,
  `cd /srv && echo ${SECRET} | sudo -S true`,
  `printf '%s\\n' '${SECRET}' | sudo -S true`,
  `echo "root:${SECRET}" | chpasswd`,
  `echo 'root:${SECRET}' | sudo chpasswd`,
  `expect "assword:"\nsend "${SECRET}\\r"`,
  `send -- "${SECRET}\\r"`,
  `gh secret set DEPLOY --body '${SECRET}'`,
  `gh secret set DEPLOY -b "${SECRET}"`,
  `credentials "app.terraform.io" { token = "${ATLAS}" }`,
  `curl said ${ATLAS}.`,
];

it.each(GIVEN)("nothing is left of it in %s", async (text) => {
  for (const each of [text, JSON.stringify({ command: text })]) {
    const [clean = ""] = await createRedactor({ credentials: [] }).redact([each]);
    expect(clean).not.toContain(SECRET);
    expect(clean).not.toContain(ATLAS);
    expect(clean).toContain("[redacted:");
  }
});

it.each([
  'os.Setenv("API_TOKEN", os.Getenv("OTHER_TOKEN"))',
  'fields("token", "createdAt2024")',
  "CREATE USER app IDENTIFIED BY '$PASSWORD';",
  "The user is identified by 'name' here.",
  "The row is identified by 'parcel_id'.",
  "docker exec mongo mkdir -p /data/backup2",
  "mongosh --eval 'x' && mkdir -p build2024x",
  "cp -P link1234 other; unzip parcels.zip && cp -P file2024 other",
  "base64 -w 0 file2024a",
  "7z x parcels.7z && mkdir -pv out2024x",
  "net use Z: /delete",
  "nmcli device wifi list",
  'echo "$PASSWORD" | sudo -S true',
  'send "configure terminal\\r"',
  'send "show-version\\r"',
  "gh secret set DEPLOY < key.txt",
  "gh pr create --title x --body 'aB3dE5fG7hI9'",
  "htpasswd -c users me",
])("stays as it is: %s", async (text) => {
  expect(await createRedactor({ credentials: [] }).redact([text])).toEqual([text]);
});
