package corfu.peers.load;

import java.util.HashMap;
import java.util.Map;

/**
 * A load process. It reads orders from its standard input, one per line, and answers each with a
 * line: the measured result, or the reason of its failure.
 *
 * <p>It ends at the end of its input, so it can't outlive the process that started it.
 */
public final class LoadDriver {

  private final PeerAppender.Opener opener;
  private final Map<Use, PeerAppender> appenders = new HashMap<>();

  private LoadDriver(PeerAppender.Opener opener) {
    this.opener = opener;
  }

  /** The use that an appender was opened for. */
  private record Use(int sizeBytes, boolean isLone) {}

  /** Prepares a load before its first order. */
  @FunctionalInterface
  public interface Setup {

    /** Connects to the system, and returns a way to append to it. */
    PeerAppender.Opener connect() throws Exception;
  }

  /**
   * Carries out orders until the input ends, then ends the process. Libraries that are first used
   * in the setup may write to the standard output.
   */
  public static void serve(Setup setup) throws Exception {
    OrderLoop.serve(
        () -> {
          var driver = new LoadDriver(setup.connect());
          return line -> driver.carryOut(LoadOrder.parse(line));
        });
  }

  private LoadResult carryOut(LoadOrder order) throws Exception {
    return switch (order) {
      case LoadOrder.Lone lone -> LoadLoops.lone(appender(lone.sizeBytes(), true), lone.time());
      case LoadOrder.Flood flood ->
          LoadLoops.flood(appender(flood.sizeBytes(), false), flood.depth(), flood.time());
      case LoadOrder.Offered offered ->
          LoadLoops.offered(
              appender(offered.sizeBytes(), false), offered.perSecond(), offered.time());
      case LoadOrder.Rest rest -> {
        for (PeerAppender appender : appenders.values()) {
          appender.rest();
        }
        yield LoadResult.NOTHING;
      }
    };
  }

  private PeerAppender appender(int sizeBytes, boolean isLone) throws Exception {
    var use = new Use(sizeBytes, isLone);
    PeerAppender known = appenders.get(use);
    if (known == null) {
      known = opener.open(payload(sizeBytes), isLone);
      appenders.put(use, known);
    }
    return known;
  }

  /** Returns bytes that do not compress. */
  private static byte[] payload(int sizeBytes) {
    byte[] payload = new byte[sizeBytes];
    var scattered = new PayloadRandom(0);
    for (int i = 0; i < sizeBytes; i++) {
      payload[i] = (byte) scattered.next();
    }
    return payload;
  }
}
