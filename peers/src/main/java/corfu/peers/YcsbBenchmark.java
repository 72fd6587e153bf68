package corfu.peers;

import corfu.peers.load.Observed;
import corfu.peers.load.YcsbOrder;
import corfu.peers.system.AbsentException;
import corfu.peers.system.Arrangement;
import corfu.peers.system.Deployment;
import corfu.peers.system.Peer;
import corfu.peers.system.Program;
import corfu.peers.system.Site;
import corfu.peers.system.Workshop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * YCSB's workloads on our store and on other systems (dissertation, figure 5.11), each loaded by a
 * process of its own with YCSB's own code, in turns, with as much durability.
 */
public final class YcsbBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final YcsbSettings settings;
  private final Workshop workshop;
  private final Peer ours;
  private final Consumer<PeerReport> reports;

  /**
   * Nothing happens yet.
   *
   * @param ours what the others are compared with
   * @param reports is given each report as soon as it is known
   */
  public YcsbBenchmark(
      YcsbSettings settings, Workshop workshop, Peer ours, Consumer<PeerReport> reports) {
    this.settings = settings;
    this.workshop = workshop;
    this.ours = ours;
    this.reports = reports;
  }

  /** Measures all that are asked for; one that cannot be measured does not keep others from it. */
  public void run(List<Peer> peers) {
    for (Peer peer : peers) {
      if (settings.includes(peer.name())) {
        compareWith(peer);
      }
    }
  }

  private void compareWith(Peer peer) {
    Program program;
    try {
      program = peer.prepare(workshop);
    } catch (AbsentException e) {
      absent(peer, "all of it", e);
      return;
    }
    for (Arrangement arrangement : peer.arrangements()) {
      if (arrangement.copies() == 1 && settings.modes().contains(arrangement.mode())) {
        try {
          compareWith(peer, program, arrangement);
        } catch (AbsentException e) {
          absent(peer, arrangement.toString(), e);
        }
      }
    }
  }

  private void absent(Peer peer, String what, AbsentException why) {
    reports.accept(new PeerReport.Absent(peer.name(), what, String.valueOf(why.getMessage())));
  }

  private void compareWith(Peer peer, Program program, Arrangement arrangement)
      throws AbsentException {
    Program own = ours.prepare(workshop);
    try (var ourSite = new Site();
        var theirSite = new Site()) {
      Deployment our = ours.start(own, arrangement, ourSite);
      Deployment their = peer.start(program, arrangement, theirSite);
      reports.accept(
          new PeerReport.Started(
              peer.name(),
              program.version(),
              peer.append(),
              arrangement,
              our.configuration(),
              their.configuration()));
      try (var ourLoad = LoadProcess.start(ours.name(), our.load(), ourSite.directory());
          var theirLoad = LoadProcess.start(peer.name(), their.load(), theirSite.directory())) {
        new Turns(peer.name(), arrangement, ourLoad, theirLoad).run();
      }
    }
  }

  /** Both sides. */
  private final class Turns {
    private final String peer;
    private final Arrangement arrangement;
    private final List<LoadProcess> sides;
    private final Map<LoadProcess, List<Observed>> seen = new LinkedHashMap<>();

    Turns(String peer, Arrangement arrangement, LoadProcess ours, LoadProcess theirs) {
      this.peer = peer;
      this.arrangement = arrangement;
      this.sides = List.of(ours, theirs);
    }

    void run() throws AbsentException {
      for (LoadProcess side : sides) {
        var unused = side.carryOut(order(YcsbOrder.LOAD), PATIENCE);
      }
      for (String letter : settings.workloads()) {
        reports.accept(compare(letter));
      }
    }

    private String order(String workload) {
      return new YcsbOrder(workload, settings.slice(), settings.threads(), settings.records())
          .toLine();
    }

    /** The first round, which nobody counts, is for compilers. */
    private PeerReport.Compared compare(String letter) throws AbsentException {
      sides.forEach(side -> seen.put(side, new ArrayList<>()));
      for (int round = 0; round <= settings.rounds(); round++) {
        for (LoadProcess side : round % 2 == 0 ? sides : sides.reversed()) {
          Observed observed = side.carryOut(order(letter), PATIENCE);
          if (round > 0) {
            seen.getOrDefault(side, new ArrayList<>()).add(observed);
          }
        }
      }
      return new PeerReport.Compared(
          peer,
          arrangement,
          RECORD_BYTES,
          new PeerReport.Load.Workload(letter.toUpperCase(Locale.ROOT), settings.threads()),
          side(sides.getFirst()),
          side(sides.getLast()));
    }

    private Side side(LoadProcess process) {
      return Side.of(seen.getOrDefault(process, List.of()));
    }
  }

  /** Ten fields of 100 bytes, as YCSB has them. */
  private static final int RECORD_BYTES = 1000;
}
