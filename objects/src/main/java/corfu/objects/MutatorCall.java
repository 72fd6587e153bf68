package corfu.objects;

/** When a call of a mutator returns, and so what its caller learns of it. */
public enum MutatorCall {
  /**
   * When the change is durable. That it threw where it was carried out is told to {@link
   * ObjectOptions#onFailure}, once this client plays it. In a transaction it is only written, and
   * nothing is read for it.
   */
  RETURNS_WHEN_DURABLE,

  /**
   * When it has been carried out here, too: what it throws is thrown to its caller, as by a
   * mutator-accessor. In a transaction it counts as a read of what it is about, and what throws is
   * no part of it.
   */
  RETURNS_WHEN_CARRIED_OUT
}
