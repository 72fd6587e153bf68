package corfu.sim.history;

/** Is told when the calls of clients begin, and how they end. */
public interface CallObserver {

  /** Which segments calls need a replica of. */
  enum Need {
    /** New entries do not need the old ones. */
    OPEN_SEGMENT,
    /** Where a stream ends, and what an object was, may be anywhere. */
    ALL_SEGMENTS
  }

  /** A thread of a client has begun a call. */
  void begins(String thread, Need need);

  /** A thread of a client has begun a call that may take as long as it likes. */
  void interrupts(String thread);

  /** That call has ended. */
  void goesOn(String thread);

  /** The call that ends next has failed for want of servers, or its outcome is unknown. */
  void fails(String thread);

  /** A call has ended: with success, unless it was said to have failed. */
  void ends(String thread);
}
