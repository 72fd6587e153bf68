package corfu.peers;

import corfu.peers.load.LoadOrder;
import corfu.peers.load.LoadResult;
import corfu.peers.program.AbsentException;
import corfu.peers.system.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A load process, which carries out one order after another. Not thread-safe. */
final class LoadProcess implements AutoCloseable {

  private final String name;
  private final Process process;
  private final Writer orders;
  private final Path log;

  /** The process's answers; an empty one marks their end. */
  private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>();

  private LoadProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name(name + "-answers").start(this::listen);
  }

  static LoadProcess start(String name, ProcessBuilder command, Path directory)
      throws AbsentException {
    Path log = directory.resolve("load.log");
    try {
      command.directory(directory.toFile()).redirectError(log.toFile());
      return new LoadProcess(name, command.start(), log);
    } catch (IOException e) {
      throw new AbsentException(
          "the load of %s cannot be started: %s".formatted(name, e.getMessage()), e);
    }
  }

  private void listen() {
    try (var in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.add(Optional.of(line));
      }
    } catch (IOException ended) {
      // the empty answer below reports the end
    }
    answers.add(Optional.empty());
  }

  /**
   * Has an order carried out.
   *
   * @param patience how long to wait for the answer
   * @throws AbsentException if the order fails, or no answer arrives in time
   */
  LoadResult carryOut(LoadOrder order, Duration patience) throws AbsentException {
    return carryOut(order.toLine(), patience);
  }

  /** Has an order carried out, given as a line that this load understands. */
  LoadResult carryOut(String order, Duration patience) throws AbsentException {
    try {
      orders.write(order + "\n");
      orders.flush();
      Optional<String> answer = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (answer == null) {
        throw new AbsentException(
            "%s has not answered '%s' after %d s; its load says: %s"
                .formatted(name, order, patience.toSeconds(), lastWords()));
      }
      return LoadResult.parse(
          answer.orElseThrow(
              () -> new AbsentException("the load of " + name + " ended: " + lastWords())));
    } catch (IllegalArgumentException refused) {
      throw new AbsentException(
          "%s did not carry out '%s': %s".formatted(name, order, refused.getMessage()), refused);
    } catch (IOException e) {
      throw new AbsentException("the load of %s ended: %s".formatted(name, lastWords()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbsentException("interrupted", e);
    }
  }

  private String lastWords() {
    return ProcessOutput.of(log);
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
