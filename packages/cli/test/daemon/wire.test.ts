import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerFrame, type HookRequest, RequestReader, WireError, waitFrame } from "../../src/daemon/wire.ts";

const REQUEST: HookRequest = {
  host: "claude",
  event: "PreToolUse",
  cwd: "/work/a\nb",
  deadlineMs: 5000,
  askDeadlineMs: 60_000,
  trustProject: false,
  env: { PATH: "/bin", EMPTY: "", EQUALS: "a=b", ["__proto__"]: "own" },
  payload: Buffer.from('{"tool_name":"Write"}'),
};

const HEAD = [
  "version=1",
  "host=claude",
  "event=PreToolUse",
  "cwd=/work/a\nb",
  "deadline=5000",
  "ask-deadline=60000",
  "trust-project=0",
  "env",
  "PATH=/bin",
  "EMPTY=",
  "EQUALS=a=b",
  "__proto__=own",
];

describe("a request", () => {
  test("is read from one chunk", () => {
    expect(new RequestReader().push(request())).toEqual(REQUEST);
  });

  test("reads the same however it is split into chunks", () => {
    const cuts = fc.array(fc.nat(request().length), { maxLength: 40 });
    const property = fc.property(cuts, (at) => {
      expect(readInChunks(request(), at)).toEqual([REQUEST]);
    });
    fc.assert(property);
  });

  test("of any payload arrives byte for byte", () => {
    const property = fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(600)), (payload, at) => {
      const bytes = request({ payload: Buffer.from(payload) });
      expect(readInChunks(bytes, at)).toEqual([{ ...REQUEST, payload: Buffer.from(payload) }]);
    });
    fc.assert(property);
  });

  test("is read byte by byte", () => {
    const every = request().map((_, index) => index);
    expect(readInChunks(request(), [...every])).toEqual([REQUEST]);
  });

  test("with a payload of 64 MB is read from a million chunks without copying what is there again and again", () => {
    const payload = Buffer.alloc(64 * 1024 * 1024, "x");
    const reader = new RequestReader();
    const bytes = request({ payload });
    let read: HookRequest | undefined;
    for (let at = 0; at < bytes.length; at += 64) read = reader.push(bytes.subarray(at, at + 64));
    expect(read?.payload.equals(payload)).toBe(true);
  });

  test("that is not whole is none", () => {
    const bytes = request();
    for (let cut = 0; cut < bytes.length; cut++) {
      expect(new RequestReader().push(bytes.subarray(0, cut)), `cut at ${cut}`).toBeUndefined();
    }
  });

  test("may have fields of a later version", () => {
    expect(new RequestReader().push(request({ head: ["colour=blue", ...HEAD] }))).toEqual(REQUEST);
  });

  test("has the first value of a variable that is there twice, and no entry without a name", () => {
    const read = new RequestReader().push(request({ head: [...HEAD, "PATH=/lies", "nonsense", "=x"] }));
    expect(read).toEqual(REQUEST);
  });
});

describe("what is not a request", () => {
  const without = (name: string) => HEAD.filter((field) => !field.startsWith(name));
  const instead = (name: string, field: string) => HEAD.map((one) => (one.startsWith(name) ? field : one));
  const length = (bytes: number) => {
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(bytes);
    return prefix;
  };

  test.each<[string, Buffer, string]>([
    ["another protocol", Buffer.from("GET / HTTP/1.1\r\n"), 'must start with "HKL1\\n"'],
    ["another version of the protocol", Buffer.from("HKL2"), 'must start with "HKL1\\n"'],
    ["a head over 1 MB", Buffer.concat([Buffer.from("HKL1\n"), length(2 ** 20 + 1)]), "at most 1048576 are allowed"],
    ["a payload over 64 MB", request({ payloadLength: 2 ** 26 + 1 }), "at most 67108864 are allowed"],
    ["no NUL at the end", request({ headEnd: "" }), "does not end with NUL"],
    ["no environment", request({ head: without("env").slice(0, 7) }), "has no environment"],
    ["no version", request({ head: without("version=") }), 'version "", not 1'],
    ["another version", request({ head: instead("version=", "version=2") }), 'version "2", not 1'],
    ["no host", request({ head: without("host=") }), "has no host"],
    ["an empty event", request({ head: instead("event=", "event=") }), "has no event"],
    ["a relative folder", request({ head: instead("cwd=", "cwd=work") }), "cwd in the head is not an absolute path"],
    [
      "a deadline that is not a number",
      request({ head: instead("deadline=", "deadline=1e3") }),
      "deadline in the head must be",
    ],
    [
      "a deadline of years",
      request({ head: instead("ask-deadline=", "ask-deadline=99999999") }),
      "ask-deadline in the head must be",
    ],
    ["a switch that is neither", request({ head: instead("trust-project=", "trust-project=yes") }), "must be 0 or 1"],
    ["a field twice", request({ head: ["host=codex", ...HEAD] }), 'two fields "host"'],
    ["a field without a value", request({ head: ["lonely", ...HEAD] }), '"lonely" in the head is not a field'],
    ["bytes after the request", Buffer.concat([request(), Buffer.from("x")]), "bytes after the request"],
  ])("%s is refused", (_, bytes, message) => {
    const read = () => new RequestReader().push(bytes);
    expect(read).toThrow(WireError);
    expect(read).toThrow(message);
  });

  test("is refused at its first byte, and a second request, too", () => {
    expect(() => new RequestReader().push(Buffer.from("h"))).toThrow(WireError);
    const reader = new RequestReader();
    reader.push(request());
    expect(reader.push(Buffer.alloc(0))).toBeUndefined();
    expect(() => reader.push(request())).toThrow("bytes after the request");
  });
});

describe("frames", () => {
  test("say that a person is asked", () => {
    expect(waitFrame()).toEqual(Buffer.from("w\0\0\0\0", "latin1"));
  });

  test("carry an answer of bytes and of text", () => {
    const frame = answerFrame({ exitCode: 2, stdout: Buffer.from([0, 255]), stderr: "é" });
    expect(frame).toEqual(Buffer.from("a\0\0\0\x09\x02\0\0\0\x02\0\xff\xc3\xa9", "latin1"));
  });

  test.each([-1, 256, 1.5])("refuse the exit code %s", (exitCode) => {
    expect(() => answerFrame({ exitCode, stdout: "", stderr: "" })).toThrow("between 0 and 255");
  });

  test("refuse more than a client reads", () => {
    expect(() => answerFrame({ exitCode: 0, stdout: Buffer.alloc(2 ** 26), stderr: "" })).toThrow("at most 67108864");
  });
});

interface Parts {
  readonly head?: readonly string[];
  readonly headEnd?: string;
  readonly payload?: Buffer;
  readonly payloadLength?: number;
}

/** As the client writes it. */
function request({ head = HEAD, headEnd = "\0", payload = REQUEST.payload, payloadLength }: Parts = {}): Buffer {
  const fields = Buffer.from(head.join("\0") + headEnd);
  const prefix = (length: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from("HKL1\n"),
    prefix(fields.length),
    fields,
    prefix(payloadLength ?? payload.length),
    payload,
  ]);
}

/** What the reader returns, other than undefined. */
function readInChunks(bytes: Buffer, cuts: readonly number[]): readonly HookRequest[] {
  const reader = new RequestReader();
  const ends = [...cuts.filter((cut) => cut <= bytes.length).toSorted((one, other) => one - other), bytes.length];
  return ends.flatMap((end, index) => reader.push(bytes.subarray(ends[index - 1] ?? 0, end)) ?? []);
}
