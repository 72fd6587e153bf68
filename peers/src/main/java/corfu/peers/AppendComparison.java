package corfu.peers;

import corfu.peers.PeerReport.Compared;
import corfu.peers.PeerReport.Load;
import corfu.peers.load.LoadOrder;
import corfu.peers.load.LoadResult;
import corfu.peers.program.AbsentException;
import corfu.peers.system.Replication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures Corfu and another system in turns, so that a disturbance affects both. */
final class AppendComparison {

  /** Allows for a system that starts slowly, or drains its in-flight appends slowly. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /**
   * The divisor of later warm-ups: the first size has compiled all the code, and only the size
   * differs.
   */
  private static final int WARM_ALREADY = 3;

  private final PeersSettings settings;
  private final String peer;
  private final Replication arrangement;
  private final LoadProcess ours;
  private final LoadProcess theirs;

  AppendComparison(
      PeersSettings settings,
      String peer,
      Replication arrangement,
      LoadProcess ours,
      LoadProcess theirs) {
    this.settings = settings;
    this.peer = peer;
    this.arrangement = arrangement;
    this.ours = ours;
    this.theirs = theirs;
  }

  /** Measures with each size. */
  void run(Consumer<PeerReport> reports) throws AbsentException {
    Duration warmup = settings.warmup();
    for (int size : settings.sizes()) {
      warmUp(size, warmup);
      warmup = settings.warmup().dividedBy(WARM_ALREADY);
      var flood = new LoadOrder.Flood(size, settings.slice(), settings.depth());
      var flooded = compare(size, new Load.Flood(settings.depth()), flood);
      reports.accept(flooded);
      reports.accept(compare(size, new Load.Lone(), new LoadOrder.Lone(size, settings.slice())));
      long rate = halfOfTheSlower(flooded);
      var offered = new LoadOrder.Offered(size, settings.slice(), rate);
      reports.accept(compare(size, new Load.Offered(rate), offered));
    }
  }

  private void warmUp(int size, Duration time) throws AbsentException {
    Duration half = time.dividedBy(2);
    for (LoadProcess each : List.of(ours, theirs)) {
      carryOut(each, new LoadOrder.Lone(size, half));
      carryOut(each, new LoadOrder.Flood(size, half, settings.depth()));
    }
  }

  private static long halfOfTheSlower(Compared flooded) {
    double slower =
        Math.min(flooded.ours().perSecond().median(), flooded.theirs().perSecond().median());
    return Math.max(1, (long) (slower / 2));
  }

  private Compared compare(int size, Load load, LoadOrder order) throws AbsentException {
    var own = new ArrayList<LoadResult>();
    var other = new ArrayList<LoadResult>();
    for (int round = 0; round < settings.rounds(); round++) {
      if (round % 2 == 0) {
        own.add(carryOut(ours, order));
        other.add(carryOut(theirs, order));
      } else {
        other.add(carryOut(theirs, order));
        own.add(carryOut(ours, order));
      }
    }
    return new Compared(peer, arrangement, size, load, PeerFigures.of(own), PeerFigures.of(other));
  }

  private static LoadResult carryOut(LoadProcess process, LoadOrder order) throws AbsentException {
    LoadResult observed = process.carryOut(order, PATIENCE);
    process.carryOut(new LoadOrder.Rest(), PATIENCE);
    return observed;
  }
}
