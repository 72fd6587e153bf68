package corfu.protocol.message;

/** What a server may answer. */
public sealed interface Reply extends Message
    permits LogUnitReply, SequencerReply, LayoutReply, NodeReply, ViewReply, Failure, Reply.Done {

  /** It is done, and durable where it has to be; there is nothing more to say. */
  record Done() implements Reply {
    public static final Done DONE = new Done();
  }
}
