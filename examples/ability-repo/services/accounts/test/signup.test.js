import assert from "node:assert/strict";
import { test } from "node:test";
import { Accounts } from "../src/signup.js";

const kim = { email: "Kim@example.org", password: "correct horse battery" };

test("an account is made once", () => {
  const accounts = new Accounts({ maxPerHour: 10 });
  assert.deepEqual(accounts.signUp(kim), { ok: true, email: "kim@example.org" });
  assert.equal(accounts.signUp({ ...kim, email: "kim@EXAMPLE.org" }).ok, false);
});

test("a short password is refused", () => {
  assert.match(new Accounts({ maxPerHour: 10 }).signUp({ ...kim, password: "short" }).fault, /12 characters/);
});

test("an hour has its limit, and the next hour a new one", () => {
  const accounts = new Accounts({ maxPerHour: 1 });
  assert.equal(accounts.signUp(kim, 0).ok, true);
  assert.equal(accounts.signUp({ ...kim, email: "lee@example.org" }, 1).ok, false);
  assert.equal(accounts.signUp({ ...kim, email: "lee@example.org" }, 3_600_001).ok, true);
});
