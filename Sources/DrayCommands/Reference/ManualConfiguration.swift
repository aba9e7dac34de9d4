// dray-config(5), and HOOKS of dray-get(1), in the small notation of Mdoc.body.

internal import DrayKit

enum ManualConfiguration {
  private static let hostKeys: String = {
    let names = HostSettings.keys.map { "`\($0)`" }
    return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
  }()

  static let text = """
    The configuration is a TOML file, `~/.config/dray/config.toml` unless `--config` or `DRAY_CONFIG` names another; \
    `--no-config` disables it. These options may be anywhere on a command line. `dray config edit` creates the file with \
    all its keys as comments, `dray config show` shows each value in force and where it comes from, and `dray config check` \
    checks all of it.

    Keys are the long names of options, without dashes. The keys at the top apply to every command that has the \
    option; a section with the name of a command, such as `[get]` or `[cookies.list]`, applies to that command. Values are \
    strings or numbers; flags are true or false; options that may be repeated accept an array:

      limit-rate = "500k"
      header = ["Accept-Language: de"]
      dir = "~/Downloads"

      [run]
      max-concurrent-downloads = 8

      [host."*.example.org"]
      user = "ann:PASSWORD"
      limit-rate = "2M"

    The command line overrides the environment, which overrides a section of a command, which overrides the top. Values of \
    options that may be repeated add up. `--no-NAME` cancels what file and environment set for an option: `--no-header`, \
    `--no-quiet`. Relative file names are relative to the directory of the configuration, and `~/` is the home directory. \
    Options that apply to one request or one file, and those that decide what a command prints, cannot be set.
    """

  static let hostSections = """
    A section `[host."PATTERN"]` applies to requests to hosts. A pattern is a host, `*.NAME` for all subdomains of a name \
    (but not the name itself), or `*`; a scheme before it and a port after it restrict it to those. If several match, each \
    key is taken from the most specific. Keys are \(hostKeys). They \
    override what applies to all hosts, and options on the command line override them. Header fields, credentials and \
    cookies are sent to those hosts only, before and after redirects; over http only if the pattern begins with `http://`. \
    They are looked up at each request and never stored with a job; limits, times and retries are fixed when a job is \
    added.
    """

  static let errors = """
    An error in the file or in a variable stops every command with exit status 2, whether the command would have used the \
    value or not, and is reported with file, line and key. So does a value that names a missing file, a configuration \
    with secrets that other users can read, and one that everyone can write to. Only `dray config`, `dray help` and `--help`, \
    `--version`, `dray generate` and the shell's completions work without it; `--no-config` ignores the file.
    """

  static let files = """
    = `~/.config/dray/config.toml`
    The configuration. If it contains secrets, it must be readable by its owner only.
    """

  static let hooks = """
    `--on-complete` and `--on-error` name commands that are run when a job has ended; the latter when it failed or was \
    interrupted by an error, not when the user stopped it. Given to `get` or `add` they belong to the job, whichever runner \
    transfers it; given to `run` or set in the configuration they belong to the run, for jobs that have none. A command is \
    split into words as by a shell, `~/` is the home directory, and no shell runs unless `--hook-shell` is given.

    A hook runs in the directory of the target. It gets the job on standard input, as an object of `dray list --json`. Its \
    environment has `DRAY_JOB_ID`, `DRAY_JOB_UUID`, `DRAY_JOB_URL` (secrets are shown as `…`), `DRAY_JOB_STATE`, \
    `DRAY_JOB_DIRECTORY`, `DRAY_JOB_TARGET`, `DRAY_JOB_SIZE`, `DRAY_JOB_DIGEST`, `DRAY_JOB_ERROR` and \
    `DRAY_JOB_EXIT_STATUS`, as far as they are known, and `DRAY_HOME`.

    It starts after the end of its job is on disk, once for each ending; a crash of dray in between loses it. At most four \
    run at once, in parallel with the transfers. The run waits for them at its end; a hook that takes longer than \
    `--hook-timeout` is stopped, and so is one that still runs five seconds after the run was stopped. Each is a process group of its own, and what it \
    has started is stopped with it: SIGTERM, and two seconds later SIGKILL. What still runs in the background after a hook \
    has ended by itself is not stopped; it should redirect its output, because nothing reads it then. If a hook fails, the \
    last lines that it wrote are shown; that changes neither the job, nor the file, nor the exit status.
    """
}
