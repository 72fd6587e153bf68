package corfu.roles;

import corfu.protocol.Epoch;

/**
 * The epochs that a role has sealed, as far as a seal can be taken back. Lives on the role's
 * thread.
 */
public interface SealedEpochs {

  /**
   * A role's seals at some moment.
   *
   * @param highest the highest epoch that was sealed or started
   * @param count the number of seals and starts accepted by this process
   */
  record Count(Epoch highest, long count) {}

  Count counted();

  /**
   * Takes back seals and starts of epochs that were not decided: these requests were damaged or
   * hostile. Nobody relies on them, because a client that seals or starts an epoch has its layout.
   * Has no effect if another seal or start has come since {@code counted}.
   *
   * @param decided the newest epoch that was decided when the seals were counted; it stays sealed
   * @param counted the seals at that time
   */
  void unsealBeyond(Epoch decided, Count counted);
}
