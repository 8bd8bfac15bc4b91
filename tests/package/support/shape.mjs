/** Whether values are what declared types say: no more, no less, and in the end everything that was declared was seen. */
import ts from "typescript";

const { TypeFlags: Flags } = ts;

/** What the types of one file's interface say of the values that are shown to it. */
export class Shapes {
  #checker;
  #types;
  #file;
  /** Properties that are declared, and those of them that a value had: `Type.property`. */
  #declared = new Set();
  #seen = new Set();

  /**
   * @param {string} file declares an exported interface `Answers`: a property per kind of answer, of its type
   * @param {ts.CompilerOptions} options
   */
  constructor(file, options) {
    const program = ts.createProgram([file], { strict: true, exactOptionalPropertyTypes: true, noEmit: true, ...options });
    const errors = ts.getPreEmitDiagnostics(program);
    if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, { getCanonicalFileName: (name) => name, getCurrentDirectory: () => "", getNewLine: () => "\n" }));
    this.#checker = program.getTypeChecker();
    this.#file = program.getSourceFile(file);
    const answers = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(this.#file)).find(({ name }) => name === "Answers");
    const properties = this.#checker.getDeclaredTypeOfSymbol(answers).getProperties();
    this.#types = new Map(properties.map((property) => [property.name, this.#typeOf(property)]));
  }

  /** What is wrong with an answer; empty when it is as declared. */
  complaints(name, value) {
    const type = this.#types.get(name);
    if (type === undefined) return [`there is no answer ${name}`];
    return this.#complaints(type, value, name);
  }

  /** What was declared and that no value had. */
  unseen() {
    return [...this.#declared].filter((property) => !this.#seen.has(property)).sort();
  }

  /** Answers of which no value was shown. */
  unasked(shown) {
    return [...this.#types.keys()].filter((name) => !shown.has(name));
  }

  #typeOf(symbol) {
    return this.#checker.getTypeOfSymbolAtLocation(symbol, this.#file);
  }

  #complaints(type, value, path) {
    const wrong = () => [`${path}: ${JSON.stringify(value)?.slice(0, 80)} is no ${this.#checker.typeToString(type)}`];
    if (type.flags & (Flags.Unknown | Flags.Any)) return [];
    if (type.isUnion()) {
      const tries = type.types.map((part) => this.#complaints(part, value, path));
      return tries.find((complaints) => complaints.length === 0) ?? (typeof value === "object" && value !== null ? tries.flat() : wrong());
    }
    if (type.flags & Flags.BooleanLiteral) return String(value) === this.#checker.typeToString(type) ? [] : wrong();
    if (type.isLiteral()) return value === type.value ? [] : wrong();
    if (type.flags & Flags.String) return typeof value === "string" ? [] : wrong();
    if (type.flags & Flags.Number) return typeof value === "number" ? [] : wrong();
    if (type.flags & Flags.Null) return value === null ? [] : wrong();
    if (type.flags & Flags.Undefined) return value === undefined ? [] : wrong();
    if (typeof value !== "object" || value === null) return wrong();
    // Bytes have no properties of ours.
    if (type.symbol?.name === "Uint8Array") return value instanceof Uint8Array ? [] : wrong();
    if (this.#checker.isArrayType(type) !== Array.isArray(value)) return wrong();
    if (Array.isArray(value)) {
      const [item] = this.#checker.getTypeArguments(type);
      return value.flatMap((element, index) => this.#complaints(item, element, `${path}[${index}]`));
    }
    return this.#properties(type, value, path);
  }

  #properties(type, value, path) {
    const complaints = [];
    const written = this.#checker.typeToString(type);
    const properties = this.#checker.getPropertiesOfType(type);
    for (const property of properties) {
      // Where it is declared: a fact in a search is a fact. The properties of a mapped type are declared as one.
      const owner = property.declarations?.[0]?.parent?.name?.text ?? written;
      const name = type.objectFlags & ts.ObjectFlags.Mapped ? written : `${owner}.${property.name}`;
      this.#declared.add(name);
      if (Object.hasOwn(value, property.name)) {
        this.#seen.add(name);
        complaints.push(...this.#complaints(this.#typeOf(property), value[property.name], `${path}.${property.name}`));
      } else if (!(property.flags & ts.SymbolFlags.Optional)) {
        complaints.push(`${path}.${property.name} is missing`);
      }
    }
    const rest = Object.keys(value).filter((key) => !properties.some(({ name }) => name === key));
    const others = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String)?.type;
    for (const key of rest) {
      complaints.push(...(others ? this.#complaints(others, value[key], `${path}.${key}`) : [`${path}.${key} is not declared in ${written}`]));
    }
    return complaints;
  }
}
