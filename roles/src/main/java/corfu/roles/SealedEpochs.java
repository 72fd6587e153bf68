package corfu.roles;

import corfu.protocol.Epoch;

/** Which epochs a role has sealed, as far as that can be taken back. Lives on the role's thread. */
public interface SealedEpochs {

  /**
   * What a role has sealed at some moment.
   *
   * @param highest the highest epoch that it was sealed or started in
   * @param count how many seals and starts it has taken in this process
   */
  record Count(Epoch highest, long count) {}

  Count counted();

  /**
   * Takes back seals and starts of epochs that had not been decided: damaged or hostile requests.
   * Nobody relies on them, for whoever seals or starts an epoch has its layout. Without effect if
   * another seal or start has come since {@code counted}.
   *
   * @param decided the newest epoch that had been decided when the seals were counted; it stays
   *     sealed
   */
  void unsealBeyond(Epoch decided, Count counted);
}
