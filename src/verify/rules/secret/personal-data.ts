import { isPersonalData } from "../../../secrets/disguised-secrets.ts";
import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { secretsOf } from "../../content/document-secrets.ts";
import { EVERY_PROFILE } from "../../rule.ts";

const WHAT: Readonly<Record<string, string>> = {
  email: "An e-mail address",
  "home-user": "The name of a home folder",
  "private-ip": "An address of a private network",
};

export const secretPersonalDataRule = defineContentRule({
  id: "secret.personal-data",
  level: "warning",
  why: "Who works where on which machine is nobody's business who reads the skill.",
  example: "the path of somebody's home folder",
  profiles: EVERY_PROFILE,
  *find(document): Iterable<ContentDetail> {
    for (const found of secretsOf(document)) {
      if (!isPersonalData(found)) continue;
      yield {
        start: found.start,
        end: found.end,
        shown: WHAT[found.rule] ?? "Personal data",
        says: "would be published with the commit",
        hint: "Unless it is meant to be public, write an example in its place: user@example.com, /home/user, 192.0.2.1.",
      };
    }
  },
});
