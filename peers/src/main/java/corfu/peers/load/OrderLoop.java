package corfu.peers.load;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A load process's way to whoever started it: a line of orders in, a line of answers out. */
final class OrderLoop {

  private OrderLoop() {}

  /** Carries out what a line says. */
  @FunctionalInterface
  interface Worker {
    Observed carryOut(String line) throws Exception;
  }

  /** Makes one. */
  @FunctionalInterface
  interface Setup {
    Worker connect() throws Exception;
  }

  /**
   * Carries out orders until there are no more, then ends the process. Libraries may say what they
   * like on the standard output if they are first used in the setup.
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
    Runtime.getRuntime().halt(0); // whatever the system's client still does
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
