import assert from "node:assert/strict";
import { test } from "node:test";
import { Accounts } from "../../../services/accounts/src/signup.js";
import { submitSignup } from "../src/signupForm.js";

test("who signs up is welcomed", () => {
  const accounts = new Accounts({ maxPerHour: 10 });
  const answer = submitSignup(accounts, "email=kim%40example.org&password=correct+horse+battery");
  assert.deepEqual(answer, { status: 303, location: "/welcome" });
});

test("who made a mistake is told which", () => {
  const answer = submitSignup(new Accounts({ maxPerHour: 10 }), "email=kim&password=correct+horse+battery");
  assert.equal(answer.status, 422);
  assert.match(answer.page, /check your e-mail/);
});
