package corfu.peers;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.Deployment;
import corfu.peers.system.PeerSite;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Replication;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs Corfu and another system at the same time, each with its own load process.
 *
 * @param reports receives the systems that were started, and those that are absent
 */
record PeerComparison(ProgramCache workshop, PeerSystem ours, Consumer<PeerReport> reports) {

  /** A comparison of the two running systems. */
  @FunctionalInterface
  interface Match {
    void play(Replication arrangement, LoadProcess ours, LoadProcess theirs) throws AbsentException;
  }

  /** Plays a match in each wanted arrangement. A failed match does not prevent the next one. */
  void with(PeerSystem peer, Predicate<Replication> wanted, Match match) {
    Program program;
    try {
      program = peer.prepare(workshop);
    } catch (AbsentException e) {
      absent(peer, "all of it", e);
      return;
    }
    for (Replication arrangement : peer.arrangements()) {
      if (wanted.test(arrangement)) {
        try {
          play(peer, program, arrangement, match);
        } catch (AbsentException e) {
          absent(peer, arrangement.toString(), e);
        }
      }
    }
  }

  private void absent(PeerSystem peer, String what, AbsentException why) {
    reports.accept(new PeerReport.Absent(peer.name(), what, String.valueOf(why.getMessage())));
  }

  private void play(PeerSystem peer, Program program, Replication arrangement, Match match)
      throws AbsentException {
    Program own = ours.prepare(workshop);
    try (var ourSite = new PeerSite();
        var theirSite = new PeerSite()) {
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
        match.play(arrangement, ourLoad, theirLoad);
      }
    }
  }
}
