// Builds the schemas at the top of a module when they are first used: `const x = z.object(…)` becomes a function that makes it once, and
// each use of `x` a call of it. Most starts of the program use none of them, and building them all takes longer than `node -e 0`.
import { Visitor } from "rolldown/utils";

const ZOD = "./package-zod.cjs";
const maker = (name) => `${name}$made`;

/** The names of the schemas, what to change in the text, and which statements of it to remove. `imports` has where each imported module comes from, by variable. */
export function lazySchemas(program, imports) {
  const declared = declaredNames(program);
  const schemas = new Map();
  const isSchema = (node) => schemas.has(rootOf(node)) || imports.get(rootOf(node))?.from === ZOD;
  const unused = [];
  for (const statement of program.body) {
    const { name, init } = constantIn(statement) ?? {};
    // Not where another variable of the same name is declared somewhere inside.
    if (name !== undefined && declared.get(name) === 1 && isSchema(init)) schemas.set(name, { statement, init });
    // Rolldown leaves these where nothing uses the constant.
    if (statement.expression?.type === "CallExpression" && isSchema(statement.expression)) unused.push(statement);
  }
  const declarations = [...schemas].flatMap(([name, { statement, init }]) => [
    { start: statement.start, end: init.start, text: `let ${name}; const ${maker(name)} = () => ${name} ??= ` },
    { start: init.end, end: statement.end, text: ";" },
  ]);
  const removals = unused.map(({ start, end }) => ({ start, end, text: "" }));
  const isRemoved = (edit) => removals.some(({ start, end }) => start <= edit.start && edit.end <= end);
  const edits = [...declarations, ...uses(program, schemas).filter((edit) => !isRemoved(edit))];
  return { names: new Set(schemas.keys()), edits, removals };
}

/** `const name = init;` */
function constantIn({ type, kind, declarations }) {
  if (type !== "VariableDeclaration" || kind !== "const" || declarations.length !== 1) return undefined;
  const [{ id, init }] = declarations;
  return id.type === "Identifier" && init?.type === "CallExpression" ? { name: id.name, init } : undefined;
}

/** `x` of `x.a(…).b(…)`. */
function rootOf(node) {
  if (node.type === "CallExpression") return rootOf(node.callee);
  if (node.type === "MemberExpression") return rootOf(node.object);
  return node.type === "Identifier" ? node.name : undefined;
}

function uses(program, schemas) {
  const edits = [];
  const isKey = new Set([...schemas.values()].map(({ statement }) => statement.declarations[0].id.start));
  new Visitor({
    MemberExpression: ({ property, computed }) => void (computed || isKey.add(property.start)),
    MethodDefinition: ({ key, computed }) => void (computed || isKey.add(key.start)),
    PropertyDefinition: ({ key, computed }) => void (computed || isKey.add(key.start)),
    Property({ key, computed, shorthand }) {
      if (!computed) isKey.add(key.start);
      if (shorthand && schemas.has(key.name)) {
        edits.push({ start: key.start, end: key.end, text: `${key.name}: ${maker(key.name)}()` });
      }
    },
  }).visit(program);
  new Visitor({
    Identifier({ name, start, end }) {
      if (schemas.has(name) && !isKey.has(start)) edits.push({ start, end, text: `${maker(name)}()` });
    },
  }).visit(program);
  return edits;
}

/** How often each name is declared, at any depth. */
function declaredNames(program) {
  const counts = new Map();
  const count = (node) => {
    if (node?.type === "Identifier") counts.set(node.name, (counts.get(node.name) ?? 0) + 1);
    else if (node?.type === "AssignmentPattern") count(node.left);
    else if (node?.type === "RestElement") count(node.argument);
    else if (node?.type === "ArrayPattern") node.elements.forEach(count);
    else if (node?.type === "ObjectPattern")
      for (const { value, argument } of node.properties) count(value ?? argument);
  };
  const countFunction = ({ id, params }) => [id, ...params].forEach(count);
  new Visitor({
    VariableDeclarator: ({ id }) => count(id),
    FunctionDeclaration: countFunction,
    FunctionExpression: countFunction,
    ArrowFunctionExpression: countFunction,
    ClassDeclaration: ({ id }) => count(id),
    ClassExpression: ({ id }) => count(id),
    CatchClause: ({ param }) => count(param),
  }).visit(program);
  return counts;
}
