package corfu.sim.history;

/** Is notified when calls of clients begin, and how they end. */
public interface CallObserver {

  /** The segments of which calls need a replica. */
  enum Need {
    /** New entries do not need the old segments. */
    OPEN_SEGMENT,
    /** The end of a stream, or an object's earlier state, may be in any segment. */
    ALL_SEGMENTS
  }

  /** A thread of a client has begun a call. */
  void begins(String thread, Need need);

  /** A thread of a client has begun a call of unbounded length. */
  void interrupts(String thread);

  /** The call of unbounded length has ended. */
  void goesOn(String thread);

  /** The next call to end has failed because servers were missing, or its outcome is unknown. */
  void fails(String thread);

  /** A call has ended. It was successful, unless {@link #fails} was called before. */
  void ends(String thread);
}
