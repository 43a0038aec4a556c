/**
 * All variables of the daemon. None is the agent's: a repository may have set it, and PATH, OPENSSL_CONF or NODE_OPTIONS could then run the
 * repository's code in a process that answers for every project. Hooks get the variables of their call. daemonStart.c has the same.
 */
export function daemonEnvironment(homeDir: string): Readonly<Record<"HOME" | "PATH", string>> {
  return { HOME: homeDir, PATH: "/usr/local/bin:/usr/bin:/bin" };
}
