package corfu.objects;

/** Says when a call of a mutator returns, and so what its caller learns. */
public enum MutatorCall {
  /**
   * The call returns when the change is durable. If the change throws, this client tells {@link
   * ObjectOptions#onFailure} once it plays the change. In a transaction the call only writes and
   * causes no read.
   */
  RETURNS_WHEN_DURABLE,

  /**
   * The call returns when this client has played the change, too. Its caller receives the change's
   * exception, as from a mutator-accessor. In a transaction the call counts as a read of the data
   * that it changes, and a call that throws is no part of the transaction.
   */
  RETURNS_WHEN_CARRIED_OUT
}
