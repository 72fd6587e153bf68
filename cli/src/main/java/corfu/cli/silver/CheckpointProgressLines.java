package corfu.cli.silver;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.output.Terminal;
import corfu.silver.CheckpointProgress;
import corfu.silver.CheckpointProgress.Phase;
import corfu.silver.CheckpointResult;
import java.io.IOException;
import java.util.function.Consumer;

/** Tells people how far a checkpoint has come: a line for every ten thousand nodes of a phase. */
final class CheckpointProgressLines implements Consumer<CheckpointProgress> {

  private static final long EACH = 10_000;

  private final Terminal terminal;
  private Phase phase = Phase.TRACE;
  private long told;

  CheckpointProgressLines(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void accept(CheckpointProgress progress) {
    if (progress.phase() != phase) {
      phase = progress.phase();
      told = 0;
    }
    if (progress.done() >= told + EACH) {
      told = progress.done();
      terminal.note("corfu: " + line(progress));
    }
  }

  private static String line(CheckpointProgress progress) {
    return switch (progress.phase()) {
      case TRACE -> "found %,d nodes".formatted(progress.done());
      case KEEP -> "kept the states of %,d of %,d nodes".formatted(progress.done(), progress.all());
      case FREE -> "freed space of %,d of %,d nodes".formatted(progress.done(), progress.all());
    };
  }

  /** Returns the freed space, for people. */
  static String freed(CheckpointResult result) {
    return "visited %,d nodes, gave up %,d of them, freed %,d entries of data with %,d bytes"
        .formatted(result.nodes(), result.removedNodes(), result.entries(), result.bytes());
  }

  /** Writes the fields of a result. */
  static void write(CheckpointResult result, JsonGenerator json) throws IOException {
    json.writeNumberField("nodes", result.nodes());
    json.writeNumberField("removedNodes", result.removedNodes());
    json.writeNumberField("entries", result.entries());
    json.writeNumberField("bytes", result.bytes());
  }
}
