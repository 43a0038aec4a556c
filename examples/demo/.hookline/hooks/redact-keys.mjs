// Masks payment keys in what the model says.
export default function redactKeys({ llm_response }) {
  const said = JSON.stringify(llm_response);
  const masked = said.replace(/\bpay_live_\w+/g, "pay_live_••••••");
  if (masked !== said) return { hookSpecificOutput: { llm_response: JSON.parse(masked) } };
}
