package corfu.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** What a command appends: the lines of standard input or of a file, or all of it as one entry. */
final class EntryInput {

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Read this file instead of standard input.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--binary", description = "Append everything as one entry, byte by byte.")
  private boolean binary;

  @Option(
      names = "--in-order",
      description = {
        "Send each line only when the one before is acknowledged. Without it, many are on their"
            + " way at once, and a line whose address was filled by somebody else moves behind"
            + " those that were sent after it."
      })
  private boolean inOrder;

  /** Whether one of the options was given. */
  boolean isSpecified() {
    return file.isPresent() || binary;
  }

  /** The caller closes it. */
  InputStream open(Terminal terminal) throws IOException {
    return file.isPresent() ? Files.newInputStream(file.get()) : terminal.in();
  }

  /**
   * Appends all of it, and returns when everything is acknowledged.
   *
   * @param longest how many bytes an entry may have
   * @throws CommandException if an entry failed or is too long; nothing behind it is sent
   */
  <P> void appendAll(
      InputStream in,
      int longest,
      Function<byte[], CompletableFuture<P>> append,
      AppendPipeline.Receipts<P> receipts)
      throws IOException, InterruptedException {
    if (binary) {
      receipts.acknowledged(append.apply(whole(in, longest)).join());
    } else {
      appendLines(
          new Lines(in, longest),
          new AppendPipeline<>(inOrder ? oneByOne(append) : append, receipts));
    }
  }

  private static <P> Function<byte[], CompletableFuture<P>> oneByOne(
      Function<byte[], CompletableFuture<P>> append) {
    return payload -> {
      CompletableFuture<P> outcome = append.apply(payload);
      outcome.handle((place, failure) -> true).join();
      return outcome;
    };
  }

  private static byte[] whole(InputStream in, int longest) throws IOException {
    byte[] payload = in.readNBytes(longest);
    if (in.read() >= 0) {
      throw new CommandException(
          ExitCode.TOO_LARGE,
          "this is more than the %d bytes that an entry may have; nothing was appended"
              .formatted(longest));
    }
    return payload;
  }

  private static void appendLines(Lines lines, AppendPipeline<?> pipeline)
      throws InterruptedException {
    Optional<CommandException> badInput = Optional.empty();
    try {
      boolean goesOn = true;
      for (var line = lines.next(); goesOn && line.isPresent(); line = lines.next()) {
        goesOn = pipeline.send(lines.number(), line.get());
      }
    } catch (CommandException tooLong) {
      badInput = Optional.of(tooLong);
    }
    var failed = pipeline.finish();
    if (failed.isPresent()) {
      throw explain(failed.get());
    }
    if (badInput.isPresent()) {
      throw badInput.get();
    }
  }

  private static RuntimeException explain(AppendPipeline.Failed failed) {
    Throwable reason = failed.reason();
    if (reason instanceof OutputClosedException closed) {
      return closed;
    }
    String others = failed.others() == 0 ? "" : " (%d more failed)".formatted(failed.others());
    var told =
        new CommandException(
            Failures.exitCodeOf(reason),
            "line %d: %s%s".formatted(failed.number(), Failures.describe(reason), others));
    told.initCause(reason);
    return told;
  }
}
