package corfu.peers;

import corfu.peers.system.AbsentException;
import corfu.peers.system.Arrangement;
import corfu.peers.system.Deployment;
import corfu.peers.system.Peer;
import corfu.peers.system.Program;
import corfu.peers.system.Site;
import corfu.peers.system.Workshop;
import java.util.List;
import java.util.function.Consumer;

/** Compares ours with other systems, one after the other. */
public final class PeersBenchmark {

  private final PeersSettings settings;
  private final Workshop workshop;
  private final Peer ours;
  private final Consumer<PeerReport> reports;

  /**
   * Nothing happens yet.
   *
   * @param ours what the others are compared with
   * @param reports is given each report as soon as it is known
   */
  public PeersBenchmark(
      PeersSettings settings, Workshop workshop, Peer ours, Consumer<PeerReport> reports) {
    this.settings = settings;
    this.workshop = workshop;
    this.ours = ours;
    this.reports = reports;
  }

  /** Measures all that are asked for; one that cannot be measured does not keep others from it. */
  public void run(List<Peer> peers) {
    peers.stream().filter(peer -> settings.includes(peer.name())).forEach(this::compareWith);
  }

  private void compareWith(Peer peer) {
    Program program;
    try {
      program = peer.prepare(workshop);
    } catch (AbsentException e) {
      reports.accept(new PeerReport.Absent(peer.name(), "all of it", reason(e)));
      return;
    }
    for (Arrangement arrangement : peer.arrangements()) {
      if (settings.includes(arrangement)) {
        try {
          compareWith(peer, program, arrangement);
        } catch (AbsentException e) {
          reports.accept(new PeerReport.Absent(peer.name(), arrangement.toString(), reason(e)));
        }
      }
    }
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
        new MatchUp(settings, peer.name(), arrangement, ourLoad, theirLoad).run(reports);
      }
    }
  }

  private static String reason(AbsentException e) {
    return String.valueOf(e.getMessage());
  }
}
