/** Takes what a browser sends, and answers with the page that is shown next. */
export function submitSignup(accounts, body) {
  const form = new URLSearchParams(body);
  const request = { email: form.get("email") ?? "", password: form.get("password") ?? "" };
  const done = accounts.signUp(request);
  if (done.ok) return { status: 303, location: "/welcome" };
  return { status: 422, page: `<p role="alert">${escaped(done.fault)}</p>` };
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
