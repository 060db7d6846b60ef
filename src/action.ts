/**
 * The door of the GitHub Action: `main` of action.yml. Built as CommonJS, as the folder it lies in says; what it
 * does is loaded as an ES module, because GitHub's toolkit is one.
 */
import("./action/run-action.ts").then(({ runAction }) => runAction());
