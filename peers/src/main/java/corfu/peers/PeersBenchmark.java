package corfu.peers;

import corfu.peers.program.ProgramCache;
import corfu.peers.system.PeerSystem;
import java.util.List;
import java.util.function.Consumer;

/** Compares Corfu with other systems, one after the other. */
public final class PeersBenchmark {

  private final PeersSettings settings;
  private final ProgramCache workshop;
  private final PeerSystem ours;
  private final Consumer<PeerReport> reports;

  /**
   * Starts nothing yet.
   *
   * @param ours the system that the others are compared with
   * @param reports receives each report as soon as it is known
   */
  public PeersBenchmark(
      PeersSettings settings,
      ProgramCache workshop,
      PeerSystem ours,
      Consumer<PeerReport> reports) {
    this.settings = settings;
    this.workshop = workshop;
    this.ours = ours;
    this.reports = reports;
  }

  /**
   * Measures all requested systems. A system that can't be measured does not prevent the next one.
   */
  public void run(List<PeerSystem> peers) {
    var encounter = new PeerComparison(workshop, ours, reports);
    for (PeerSystem peer : peers) {
      if (settings.includes(peer.name())) {
        encounter.with(
            peer,
            settings::includes,
            (arrangement, our, their) ->
                new AppendComparison(settings, peer.name(), arrangement, our, their).run(reports));
      }
    }
  }
}
