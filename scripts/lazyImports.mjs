// Turns the imports of a module into loads at their first use. Rolldown writes an import of another chunk as
// `const require_x = require("./x.cjs")` and every use as `require_x.name`, so each use becomes `(require_x ??= __load("x")).name`.
// Schemas at the top of a module are built at their first use, too (lazySchemas.mjs).
import { parseSync, Visitor } from "rolldown/utils";
import { lazySchemas } from "./lazySchemas.mjs";

/** Functions for a module: for another module, for `import()`, for a package as `import()` would give it, and for one that is required late. */
export const LOAD = "__load";
export const IMPORT = "__import";
export const NAMESPACE = "__namespace";
export const LATE = "__late";

/** The chunk as a module of the pack. One of a package keeps the order in which it imports. */
export function moduleBody(fileName, code, { isLazy }) {
  const imports = new Map();
  const edits = [];
  const { program, errors } = parseSync(fileName, code, { sourceType: "script" });
  if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`);
  for (const [index, statement] of isLazy ? program.body.entries() : []) {
    const found = importIn(statement);
    if (found === undefined) continue;
    const next = program.body[index + 1];
    const wrapper = wrapperOf(found.name, next);
    imports.set(found.name, { from: found.from, wrapper: wrapper && code.slice(wrapper.start, wrapper.end) });
    edits.push({ start: statement.start, end: statement.end, text: `let ${found.name};` });
    if (wrapper) edits.push({ start: next.start, end: next.end, text: "" });
  }
  const schemas = isLazy ? lazySchemas(program, imports) : { names: [], edits: [], removals: [] };
  edits.push(...schemas.removals);
  if (isLazy) edits.push(...plainExports(program, new Set([...imports.keys(), ...schemas.names])));
  if ([LOAD, IMPORT, NAMESPACE, LATE].some((name) => new RegExp(`\\b${name}\\b`).test(code)))
    throw new Error(`${fileName}: a name of the pack is taken`);
  const isEdited = (node) => edits.some(({ start, end }) => start <= node.start && node.end <= end);
  new Visitor({
    Identifier(node) {
      if (imports.has(node.name) && !isEdited(node)) {
        edits.push({ start: node.start, end: node.end, text: useOf(node.name, imports) });
      }
    },
    CallExpression(node) {
      const from = requiredBy(node);
      if (from === undefined || isEdited(node)) return;
      if (from.startsWith("./")) edits.push({ start: node.start, end: node.end, text: load(from) });
      if (isLate(from))
        edits.push({ start: node.start, end: node.end, text: `${LATE}(() => ${code.slice(node.start, node.end)})` });
    },
    ImportExpression(node) {
      const { type, value } = node.source;
      // Packages are required: `import()` starts Node's loader of ES modules, which takes longer than most packages do.
      if (type !== "Literal") return edits.push({ start: node.start, end: node.start + "import".length, text: IMPORT });
      const text = `Promise.resolve().then(() => ${NAMESPACE}(require(${JSON.stringify(value)})))`;
      edits.push({ start: node.start, end: node.end, text });
    },
  }).visit(program);
  return applied(code, [...edits, ...schemas.edits]);
}

/** `const x = require("…");`, which rolldown writes with `let` for packages that are not packed. */
function importIn({ type, declarations }) {
  if (type !== "VariableDeclaration" || declarations.length !== 1) return undefined;
  const [{ id, init }] = declarations;
  const from = init?.type === "CallExpression" ? requiredBy(init) : undefined;
  return from === undefined || id.type !== "Identifier" ? undefined : { name: id.name, from };
}

/** `x = __toESM(x, 1);` behind it: the right side. */
function wrapperOf(name, statement) {
  const assignment = statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  const isWrapped = assignment?.type === "AssignmentExpression" && assignment.left.name === name;
  return isWrapped ? assignment.right : undefined;
}

function requiredBy({ callee, arguments: [path, ...others] }) {
  const isRequire = callee.type === "Identifier" && callee.name === "require" && others.length === 0;
  return isRequire && path?.type === "Literal" ? path.value : undefined;
}

/** Rolldown exports through getters, for variables that change later. Most never do, and a plain property takes less to make and to read. */
function plainExports(program, made) {
  const changing = new Set(made);
  new Visitor({
    AssignmentExpression: ({ left }) => void changing.add(left.name),
    UpdateExpression: ({ argument }) => void changing.add(argument.name),
  }).visit(program);
  return program.body.flatMap((statement) => {
    const { name, variable } = exportIn(statement) ?? {};
    if (variable === undefined || changing.has(variable)) return [];
    return [{ start: statement.start, end: statement.end, text: `exports.${name} = ${variable};` }];
  });
}

/** `Object.defineProperty(exports, "name", { enumerable: true, get: function () { return variable; } });` */
function exportIn({ type, expression: call }) {
  if (
    type !== "ExpressionStatement" ||
    call.type !== "CallExpression" ||
    call.callee.property?.name !== "defineProperty"
  )
    return undefined;
  const [target, name, { properties }] = call.arguments;
  const returned = properties?.find(({ key }) => key.name === "get")?.value.body.body[0].argument;
  const isExport = target.name === "exports" && returned?.type === "Identifier";
  return isExport ? { name: name.value, variable: returned.name } : undefined;
}

function useOf(name, imports) {
  const { from, wrapper } = imports.get(name);
  const loaded = from.startsWith("./") ? load(from) : `require(${JSON.stringify(from)})`;
  if (wrapper === undefined) return `(${name} ??= ${loaded})`;
  const runtime = [...imports.keys()].find((other) => wrapper.startsWith(`${other}.`));
  const wrapped = wrapper.replace(runtime, () => useOf(runtime, imports)).replace(`(${name},`, () => `(${loaded},`);
  return `(${name} ??= ${wrapped})`;
}

/** Commander requires it for commands that are programs. We have none, and it loads half of Node's network code. */
const isLate = (from) => /^(node:)?child_process$/.test(from);

const load = (from) => `${LOAD}(${JSON.stringify(from.replace(/^\.\/|\.cjs$/g, ""))})`;

function applied(code, edits) {
  let text = code;
  for (const { start, end, text: replacement } of edits.toSorted((one, other) => other.start - one.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}
