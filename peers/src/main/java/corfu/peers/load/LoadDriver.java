package corfu.peers.load;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A load process: reads orders from its standard input, a line each, and answers each with a line:
 * what was observed, or why it failed. It ends when its input does, so it cannot outlive whoever
 * started it.
 */
public final class LoadDriver {

  private final Appender.Opener opener;
  private final PrintStream answers;
  private final Map<Use, Appender> appenders = new HashMap<>();

  private LoadDriver(Appender.Opener opener, PrintStream answers) {
    this.opener = opener;
    this.answers = answers;
  }

  /** What an appender was opened for. */
  private record Use(int sizeBytes, boolean isLone) {}

  /** What a load does before it gets orders. */
  @FunctionalInterface
  public interface Setup {

    /** Connects to the system, and says how to append to it. */
    Appender.Opener connect() throws Exception;
  }

  /**
   * Carries out orders until there are no more, then ends the process. Libraries may say what they
   * like on the standard output if they are first used in the setup.
   */
  public static void serve(Setup setup) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    var driver = new LoadDriver(setup.connect(), answers);
    ExecutorService worker = Executors.newSingleThreadExecutor();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String order = line;
      worker.execute(() -> driver.answer(order));
    }
    Runtime.getRuntime().halt(0); // whatever the system's client still does
  }

  private void answer(String line) {
    try {
      answers.println(carryOut(Order.parse(line)).toLine());
    } catch (Exception e) {
      e.printStackTrace();
      answers.println("failed: " + String.valueOf(e).replace('\n', ' '));
    }
    answers.flush();
  }

  private Observed carryOut(Order order) throws Exception {
    return switch (order) {
      case Order.Lone lone -> Loops.lone(appender(lone.sizeBytes(), true), lone.time());
      case Order.Flood flood ->
          Loops.flood(appender(flood.sizeBytes(), false), flood.depth(), flood.time());
      case Order.Offered offered ->
          Loops.offered(appender(offered.sizeBytes(), false), offered.perSecond(), offered.time());
      case Order.Rest rest -> {
        for (Appender appender : appenders.values()) {
          appender.rest();
        }
        yield Observed.NOTHING;
      }
    };
  }

  private Appender appender(int sizeBytes, boolean isLone) throws Exception {
    var use = new Use(sizeBytes, isLone);
    Appender known = appenders.get(use);
    if (known == null) {
      known = opener.open(payload(sizeBytes), isLone);
      appenders.put(use, known);
    }
    return known;
  }

  /** Nothing that compresses to nothing. */
  private static byte[] payload(int sizeBytes) {
    byte[] payload = new byte[sizeBytes];
    long state = 0x9e3779b97f4a7c15L;
    for (int i = 0; i < sizeBytes; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      payload[i] = (byte) state;
    }
    return payload;
  }
}
