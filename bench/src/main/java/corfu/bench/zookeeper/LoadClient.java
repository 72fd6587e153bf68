package corfu.bench.zookeeper;

import corfu.bench.zookeeper.load.EnsembleLoad;
import corfu.bench.zookeeper.load.EnsembleOrder;
import corfu.bench.zookeeper.load.LoadOutcome;
import corfu.node.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * The process of the clients. The same process loads all systems, one at a time, so that its code
 * is as warm for each. Not thread-safe.
 */
final class LoadClient implements AutoCloseable {

  private final Process process;
  private final Writer orders;
  private final BufferedReader answers;

  private LoadClient(Process process) {
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static LoadClient start(JavaCommand java) throws IOException {
    var builder = java.withMainClass(EnsembleLoad.class.getName()).with();
    builder.redirectError(ProcessBuilder.Redirect.DISCARD); // a client warns of each lost server
    return new LoadClient(builder.start());
  }

  /** Tells the process the servers of an ensemble. */
  void open(Ensemble ensemble) throws IOException {
    var _ =
        carryOut(
            new EnsembleOrder.Open(
                ensemble.name(),
                ensemble.servers().stream().map(EnsembleServer::address).toList()));
  }

  /** Closes the sessions of an ensemble. */
  void close(Ensemble ensemble) throws IOException {
    var _ = carryOut(new EnsembleOrder.Close(ensemble.name()));
  }

  /**
   * Has an order carried out.
   *
   * @throws IOException if the process fails to carry it out
   */
  LoadOutcome carryOut(EnsembleOrder order) throws IOException {
    String line = order.toLine();
    orders.write(line + "\n");
    orders.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the load process ended while it carried out '%s'".formatted(line));
    }
    try {
      return LoadOutcome.parse(answer);
    } catch (IllegalArgumentException e) {
      throw new IOException("the load did not carry out '%s': %s".formatted(line, answer), e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
