package corfu.cli.log;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.command.Failures;
import corfu.cli.output.OutputClosedException;
import corfu.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The entries that a command appends: a text, or the lines of standard input or of a file, or the
 * whole input as one entry.
 */
public final class EntryInput {

  @Parameters(paramLabel = "TEXT", arity = "0..1", description = "Text of one entry.")
  private Optional<String> text = Optional.empty();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "File to read instead of standard input.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--binary", description = "Append the whole input as one entry, byte by byte.")
  private boolean binary;

  @Option(
      names = "--in-order",
      description = {
        "Send each line only when the previous one is acknowledged. Without this option many lines"
            + " are in flight, and a line whose address another client filled moves behind later"
            + " lines."
      })
  private boolean inOrder;

  /**
   * Refuses options that contradict each other.
   *
   * @throws CommandException if there is a text and another source
   */
  public void check() {
    if (text.isPresent() && (file.isPresent() || binary)) {
      throw new CommandException(
          ExitCode.USAGE, "say what to append: either a TEXT, or --file or --binary without it");
    }
  }

  /** Opens the input; the caller closes it. */
  public InputStream open(Terminal terminal) throws IOException {
    if (text.isPresent()) {
      return new ByteArrayInputStream(text.get().getBytes(StandardCharsets.UTF_8));
    }
    return file.isPresent() ? Files.newInputStream(file.get()) : terminal.in();
  }

  /**
   * Appends the whole input, and returns when every entry is acknowledged.
   *
   * @param longest the largest size of an entry in bytes
   * @throws CommandException if an entry failed or is too long; no later entry is sent
   */
  public <P> void appendAll(
      InputStream in,
      int longest,
      Function<byte[], CompletableFuture<P>> append,
      AppendPipeline.Receipts<P> receipts)
      throws IOException, InterruptedException {
    if (binary || text.isPresent()) {
      receipts.acknowledged(append.apply(whole(in, longest)).join());
    } else {
      appendLines(
          new LineReader(in, longest),
          new AppendPipeline<>(inOrder ? oneByOne(append) : append, receipts),
          receipts::ended);
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
          "the input is longer than the %d bytes that an entry may have; nothing was appended"
              .formatted(longest));
    }
    return payload;
  }

  /**
   * The outcome of an input of which only a part was appended.
   *
   * @param appended the number of lines that were appended
   * @param failed the number of lines that were sent and not appended
   * @param unknown the number of lines that may or may not have been appended
   * @param isAllSent whether every line was sent
   * @param line the number of the first line that was not appended, from 1
   * @param problem the reason of that line's failure
   * @param exitCode the exit status of that failure alone
   */
  public record Shortfall(
      long appended,
      long failed,
      long unknown,
      boolean isAllSent,
      long line,
      String problem,
      int exitCode) {

    /** Most exit statuses also say that nothing was appended. */
    int status() {
      if (appended > 0) {
        return ExitCode.PARTLY_DONE;
      }
      return unknown > 0 ? ExitCode.OUTCOME_UNKNOWN : exitCode;
    }

    String text() {
      if (appended == 0 && failed + unknown <= 1) {
        return problem;
      }
      String text = "%s; %,d lines were appended".formatted(problem, appended);
      if (failed > 0) {
        text += ", %,d were not".formatted(failed);
      }
      if (unknown > 0) {
        text += ", and %,d may or may not be".formatted(unknown);
      }
      return isAllSent ? text : text + ", and the lines behind them were not sent";
    }

    public void writeTo(JsonGenerator json) throws IOException {
      json.writeNumberField("appended", appended);
      json.writeNumberField("failed", failed);
      json.writeNumberField("unknown", unknown);
      json.writeNumberField("line", line);
      json.writeStringField("problem", problem);
      json.writeNumberField("status", status());
    }
  }

  private static void appendLines(
      LineReader lines, AppendPipeline<?> pipeline, Consumer<Shortfall> news)
      throws InterruptedException {
    Optional<CommandException> badInput = Optional.empty();
    boolean goesOn = true;
    try {
      for (var line = lines.next(); goesOn && line.isPresent(); line = lines.next()) {
        goesOn = pipeline.send(lines.number(), line.get());
      }
    } catch (CommandException tooLong) {
      badInput = Optional.of(tooLong);
    }
    var failed = pipeline.finish();
    if (failed.isPresent()) {
      var shortfall = shortfall(failed.get(), pipeline.appended(), goesOn && badInput.isEmpty());
      throw end(shortfall, failed.get().reason(), news);
    }
    if (badInput.isPresent()) {
      CommandException why = badInput.get();
      throw end(
          new Shortfall(
              pipeline.appended(),
              0,
              0,
              false,
              lines.number() + 1,
              String.valueOf(why.getMessage()),
              why.exitCode()),
          why,
          news);
    }
  }

  private static Shortfall shortfall(
      AppendPipeline.Failed failed, long appended, boolean isAllSent) {
    return new Shortfall(
        appended,
        failed.others() + 1 - failed.unknown(),
        failed.unknown(),
        isAllSent,
        failed.number(),
        "line %d: %s".formatted(failed.number(), Failures.describe(failed.reason())),
        Failures.exitCodeOf(failed.reason()));
  }

  private static RuntimeException end(
      Shortfall shortfall, Throwable reason, Consumer<Shortfall> news) {
    if (reason instanceof OutputClosedException closed) {
      return closed;
    }
    news.accept(shortfall);
    var told = new CommandException(shortfall.status(), shortfall.text());
    told.initCause(reason);
    return told;
  }
}
