package corfu.protocol.message;

/**
 * The number of a Paxos proposal.
 *
 * @param round the round, 1 or more; 0 only in {@link #NONE}
 * @param proposer a random number that tells proposers of one round apart
 */
public record Ballot(long round, long proposer) implements Comparable<Ballot> {

  /** Lower than the ballot of every proposal. */
  public static final Ballot NONE = new Ballot(0, 0);

  @Override
  public int compareTo(Ballot other) {
    int byRound = Long.compare(round, other.round);
    return byRound != 0 ? byRound : Long.compareUnsigned(proposer, other.proposer);
  }

  @Override
  public String toString() {
    return round + "." + Long.toHexString(proposer);
  }
}
