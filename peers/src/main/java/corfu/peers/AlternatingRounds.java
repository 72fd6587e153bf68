package corfu.peers;

import corfu.peers.load.LoadResult;
import corfu.peers.program.AbsentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Has Corfu and another system carry out the same order in turns. They begin alternately, round by
 * round.
 *
 * @param rounds the number of turns of each system
 * @param patience how long an order may take
 */
record AlternatingRounds(LoadProcess ours, LoadProcess theirs, int rounds, Duration patience) {

  /** The results of both systems. */
  record Seen(PeerFigures ours, PeerFigures theirs) {}

  /** Carries out an order that is not measured, on one system after the other. */
  void prepare(String order) throws AbsentException {
    var unused = List.of(carryOut(ours, order), carryOut(theirs, order));
  }

  /** Carries out an order in all rounds. */
  Seen compare(String order) throws AbsentException {
    var own = new ArrayList<LoadResult>();
    var other = new ArrayList<LoadResult>();
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        own.add(carryOut(ours, order));
        other.add(carryOut(theirs, order));
      } else {
        other.add(carryOut(theirs, order));
        own.add(carryOut(ours, order));
      }
    }
    return new Seen(PeerFigures.of(own), PeerFigures.of(other));
  }

  private LoadResult carryOut(LoadProcess process, String order) throws AbsentException {
    return process.carryOut(order, patience);
  }
}
