import { z } from "zod";

/** The daemon's answers, as our commands read them. */
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

export const questionsSchema = z.array(
  z.object({
    id: z.string(),
    host: z.string(),
    session: z.string(),
    folder: z.string(),
    subject: z.string(),
    reason: z.string(),
    details: z.string(),
    askedAt: z.number(),
    until: z.number(),
  }),
);

const refusedSchema = z.object({ kind: z.literal("refused"), session: z.string() });

export const decidedSchema = z.union([z.object({ kind: z.enum(["decided", "unknown"]) }), refusedSchema]);

export const answeredSchema = z.object({
  approved: z.boolean(),
  reason: z.string(),
  by: z.enum(["person", "nobody"]).catch("person"),
});

export const stoppedSchema = z.union([refusedSchema, z.object({ kind: z.undefined().optional() })]);
