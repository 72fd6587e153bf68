package corfu.peers;

import corfu.peers.system.Peer;
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
    var encounter = new Encounter(workshop, ours, reports);
    for (Peer peer : peers) {
      if (settings.includes(peer.name())) {
        encounter.with(
            peer,
            settings::includes,
            (arrangement, our, their) ->
                new MatchUp(settings, peer.name(), arrangement, our, their).run(reports));
      }
    }
  }
}
