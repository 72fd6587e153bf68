package corfu.protocol.message;

/** The replies of a server. */
public sealed interface Reply extends Message
    permits LogUnitReply, SequencerReply, LayoutReply, NodeReply, ViewReply, Failure, Reply.Done {

  /** The request is carried out, and durable where it has to be. There are no further results. */
  record Done() implements Reply {
    public static final Done DONE = new Done();
  }
}
