/** The door of a thread that checks files: it has the byte code that the command has kept, and keeps none itself. */
import { join } from "node:path";
import { loadWithByteCode } from "./core/byte-code.ts";

/** The build puts a digest of verify-program.js in its place. */
const VERIFY_DIGEST = "__VERIFY_PROGRAM_DIGEST__";

loadWithByteCode(join(__dirname, "verify-program.js"), { digest: VERIFY_DIGEST });
