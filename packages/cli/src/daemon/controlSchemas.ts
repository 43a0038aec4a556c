import { z } from "zod";

/** What our commands and the daemon tell each other, as the reader checks it. */
export const daemonStatusSchema = z.object({
  pid: z.number(),
  version: z.string(),
  startedAt: z.number(),
  questions: z.number(),
  hosts: z.array(
    z.object({
      host: z.string(),
      calls: z.number(),
      lastAt: z.number(),
      lastEvent: z.string(),
      unknownEvents: z.array(z.string()),
    }),
  ),
  projects: z.array(z.object({ root: z.string(), hooks: z.number(), untrusted: z.number() })),
});

/** A question, as a program asks it and as it is shown. */
export const questionSchema = z.object({
  host: z.string(),
  session: z.string(),
  folder: z.string(),
  subject: z.string(),
  reason: z.string(),
  details: z.string(),
});

export const questionsSchema = z.array(
  questionSchema.extend({ id: z.string(), askedAt: z.number(), until: z.number() }),
);

const refusedSchema = z.object({ kind: z.literal("refused"), session: z.string() });

export const decidedSchema = z.union([z.object({ kind: z.enum(["decided", "unknown"]) }), refusedSchema]);

export const answeredSchema = z.object({
  approved: z.boolean(),
  reason: z.string(),
  by: z.enum(["person", "nobody"]).catch("person"),
});

export const stoppedSchema = z.union([refusedSchema, z.object({ kind: z.undefined().optional() })]);
