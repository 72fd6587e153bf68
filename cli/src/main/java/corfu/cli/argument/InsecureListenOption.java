package corfu.cli.argument;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.node.security.ListenCheck;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Lets a server of an application listen beyond this machine without TLS. */
public final class InsecureListenOption {

  @Option(
      names = "--insecure-listen",
      paramLabel = "WORDS",
      description =
          "Listen beyond this machine without TLS. WORDS are: \""
              + ListenCheck.INSECURE_WORDS
              + "\"")
  private Optional<String> words = Optional.empty();

  /**
   * Refuses to listen beyond this machine without TLS, unless the command line says so.
   *
   * @param host the host to listen on
   * @param remedy the options that encrypt connections, for the message
   * @throws CommandException if the server may not listen there
   */
  public void check(String host, String remedy) {
    if (words.isPresent() && !words.get().equals(ListenCheck.INSECURE_WORDS)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--insecure-listen takes these words: \"%s\"".formatted(ListenCheck.INSECURE_WORDS));
    }
    if (words.isEmpty() && !ListenCheck.isLoopback(host)) {
      throw new CommandException(
          ExitCode.USAGE,
          "the server would listen on %s, beyond this machine, without TLS: %s, or listen on"
                  .formatted(host, remedy)
              + " 127.0.0.1, or give --insecure-listen \"%s\""
                  .formatted(ListenCheck.INSECURE_WORDS));
    }
  }
}
