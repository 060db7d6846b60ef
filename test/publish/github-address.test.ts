/** Where the token goes: the server that was named, and never where a repository points (invariant 6). */
import { describe, expect, test } from "vitest";
import {
  compareUrl,
  githubServer,
  isOnServer,
  repositoryOn,
} from "../../src/publish/github-address.ts";

const none = { serverUrl: null, apiUrl: null, graphqlUrl: null };
const github = githubServer(none);
const enterprise = githubServer({ ...none, serverUrl: "https://ghe.example.com/" });

describe("the server", () => {
  test("github.com, unless something else is named", () => {
    expect(github).toEqual({
      serverUrl: "https://github.com",
      apiUrl: "https://api.github.com",
      graphqlUrl: "https://api.github.com/graphql",
    });
  });

  test("an Enterprise Server has its API below its own address (29)", () => {
    expect(enterprise).toEqual({
      serverUrl: "https://ghe.example.com",
      apiUrl: "https://ghe.example.com/api/v3",
      graphqlUrl: "https://ghe.example.com/api/graphql",
    });
    const named = { ...none, apiUrl: "http://127.0.0.1:1/api", graphqlUrl: "http://127.0.0.1:1/g" };
    expect(githubServer(named)).toMatchObject({ graphqlUrl: "http://127.0.0.1:1/g" });
  });

  for (const wrong of [
    "http://ghe.example.com",
    "ghe.example.com",
    "https://kim:secret@ghe.example.com",
    "https://ghe.example.com/?x=1",
    "ftp://ghe.example.com",
  ]) {
    test(`a token is not sent to ${wrong}`, () => {
      expect(() => githubServer({ ...none, serverUrl: wrong })).toThrow(/GITHUB_SERVER_URL/);
    });
  }
});

describe("the repository", () => {
  const parcels = { owner: "acme", name: "parcels" };
  for (const origin of [
    "https://github.com/acme/parcels.git",
    "https://github.com/acme/parcels",
    "https://kim@github.com/acme/parcels.git/",
    "git@github.com:acme/parcels.git",
    "github.com:acme/parcels",
    "ssh://git@github.com/acme/parcels.git",
    "ssh://git@ssh.github.com:443/acme/parcels.git",
    "git://github.com/acme/parcels.git",
  ]) {
    test(`origin ${origin}`, () => {
      expect(repositoryOn(github, { named: null, origin })).toEqual(parcels);
    });
  }

  for (const origin of [
    "https://evil.example.com/acme/parcels.git",
    "https://github.com.evil.example.com/acme/parcels",
    "https://github.com@evil.example.com/acme/parcels",
    "git@evil.example.com:acme/parcels",
    "https://ghe.example.com/acme/parcels",
  ]) {
    test(`origin elsewhere gets nothing: ${origin}`, () => {
      expect(() => repositoryOn(github, { named: null, origin })).toThrow(/not sent anywhere else/);
      expect(isOnServer(github, origin)).toBe(false);
    });
  }

  test("origin that is no address, or none, says what to do", () => {
    for (const origin of [null, "/srv/git/parcels.git", "../parcels", "C:\\parcels"])
      expect(() => repositoryOn(github, { named: null, origin })).toThrow();
    expect(() => repositoryOn(github, { named: null, origin: null })).toThrow(
      /no remote named origin/,
    );
  });

  test("GITHUB_REPOSITORY comes before origin", () => {
    const origin = "https://evil.example.com/a/b";
    expect(repositoryOn(github, { named: "acme/parcels", origin })).toEqual(parcels);
    for (const named of ["acme", "acme/", "/parcels", "acme/parcels/x", "acme/..", "a b/c", "-a/b"])
      expect(() => repositoryOn(github, { named, origin })).toThrow(/names no repository/);
  });

  test("an Enterprise Server's own", () => {
    const origin = "git@ghe.example.com:acme/parcels.git";
    expect(repositoryOn(enterprise, { named: null, origin })).toEqual(parcels);
    expect(isOnServer(enterprise, origin)).toBe(true);
  });

  test("the page where a person goes on", () => {
    expect(compareUrl(github, parcels, "main", "kim:auto-skill/x")).toBe(
      "https://github.com/acme/parcels/compare/main...kim%3Aauto-skill/x?expand=1",
    );
  });
});
