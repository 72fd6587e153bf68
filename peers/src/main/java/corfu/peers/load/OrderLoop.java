package corfu.peers.load;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Connects a load process to its parent process: it reads orders and writes answers, one per line.
 */
final class OrderLoop {

  private OrderLoop() {}

  /** Carries out the order in a line. */
  @FunctionalInterface
  interface Worker {
    LoadResult carryOut(String line) throws Exception;
  }

  /** Makes a worker. */
  @FunctionalInterface
  interface Setup {
    Worker connect() throws Exception;
  }

  /**
   * Carries out orders until the input ends, then ends the process. Libraries that are first used
   * in the setup may write to the standard output.
   */
  static void serve(Setup setup) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Worker worker = setup.connect();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String order = line;
      thread.execute(() -> answer(worker, order, answers));
    }
    Runtime.getRuntime().halt(0); // whatever the system's client is still doing
  }

  private static void answer(Worker worker, String line, PrintStream answers) {
    try {
      answers.println(worker.carryOut(line).toLine());
    } catch (Exception e) {
      e.printStackTrace();
      answers.println("failed: " + String.valueOf(e).replace('\n', ' '));
    }
    answers.flush();
  }
}
