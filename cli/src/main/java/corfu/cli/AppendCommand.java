package corfu.cli;

import corfu.protocol.Address;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Log;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "append",
    description = {
      "Appends lines, or one binary entry.",
      "Each line of standard input, or of a file, becomes an entry; with --binary all of it becomes"
          + " one. Prints each entry's address as soon as it is acknowledged: durable on all its"
          + " replicas. When an entry fails, nothing behind it is sent any more, but what was"
          + " already on its way may succeed and is printed, too."
    },
    footer = {
      "",
      "Examples:",
      "  echo hello | corfu append --dir /tmp/c",
      "  corfu append --file events.txt --json --servers 10.0.0.1:9000,10.0.0.2:9000",
      "  corfu append --binary --file picture.png --dir /tmp/c"
    })
final class AppendCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();
  @Mixin private final OutputOptions style = new OutputOptions();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Read this file instead of standard input.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--binary", description = "Append everything as one entry, byte by byte.")
  private boolean binary;

  AppendCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CorfuOptions options = connection.options();
    int longest = options.limits().maxPayloadBytes();
    try (var in = open();
        var corfu = connection.connect();
        var out = new Output(terminal.out())) {
      if (binary) {
        print(out, appendOne(corfu.log(), in, longest));
        return ExitCode.OK;
      }
      return appendLines(corfu.log(), new Lines(in, longest), out);
    }
  }

  private InputStream open() throws IOException {
    return file.isPresent() ? Files.newInputStream(file.get()) : terminal.in();
  }

  private static Address appendOne(Log log, InputStream in, int longest) throws IOException {
    byte[] payload = in.readNBytes(longest);
    if (in.read() >= 0) {
      throw new CommandException(
          ExitCode.TOO_LARGE,
          "this is more than the %d bytes that an entry may have; nothing was appended"
              .formatted(longest));
    }
    return log.append(payload);
  }

  private int appendLines(Log log, Lines lines, Output out) throws InterruptedException {
    var pipeline = new AppendPipeline(log, receiptsTo(out));
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
    return ExitCode.OK;
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

  private AppendPipeline.Receipts receiptsTo(Output out) {
    return new AppendPipeline.Receipts() {
      @Override
      public void acknowledged(Address address) {
        print(out, address);
      }

      @Override
      public void pause() {
        out.flush();
      }
    };
  }

  private void print(Output out, Address address) {
    if (style.json()) {
      out.json(json -> json.writeNumberField("address", address.value()));
    } else {
      out.line(address.toString());
    }
  }
}
