// Makes dist with rolldown's own API: the same config as its command line, without its table of files.
import { build } from "rolldown";
import config from "../rolldown.config.mjs";

for (const one of config) await build(one);
