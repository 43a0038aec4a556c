/** Patterns of variables that make a shell, an interpreter, the dynamic loader or git load further code. */
export const LOADERS = [
  "BASH_ENV|ENV|ZDOTDIR",
  "NODE_OPTIONS|NODE_PATH",
  "LD_\\w+|DYLD_\\w+",
  "PYTHON(?:PATH|HOME|STARTUP)",
  "PERL5\\w+|RUBY(?:OPT|LIB)|LUA_\\w+|PHPRC|PHP_INI_SCAN_DIR",
  "JAVA_TOOL_OPTIONS|CLASSPATH",
  "GIT_(?:CONFIG\\w*|SSH\\w*|EXEC_PATH|EXTERNAL_DIFF|PAGER|EDITOR|ASKPASS)",
].join("|");

/** Further ones that no command needs, but that a program inherits. */
const INHERITED = [
  "BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|CDPATH",
  "NODE_\\w+|npm_config_.*",
  "PYTHON\\w+",
  "PERL\\w+|GEM_\\w+|BUNDLE_\\w+|JDK_\\w+|_JAVA_OPTIONS|DOTNET_\\w+|COR\\w*_\\w+",
  "OPENSSL_\\w+|GCONV_PATH|LOCPATH|GLIBC_TUNABLES|MALLOC_\\w+",
  "GIT_\\w+|LESSOPEN|LESSCLOSE|CURL_HOME|WGETRC|RIPGREP_CONFIG_PATH",
  "XDG_(?:CONFIG|DATA)_\\w+",
].join("|");

const ANY = new RegExp(`^(?:${LOADERS}|${INHERITED})$`, "s");

/** Without them: where a repository may have set them, it would choose what a hook runs. */
export function withoutLoaders(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ANY.test(name)));
}
