package corfu.peers.system;

import java.util.List;

/** A system that can be measured. Stateless. */
public interface Peer {

  /** Returns the system's name on command lines and in tables. */
  String name();

  /** Returns a description of the operation that counts as an append. */
  String append();

  /** Returns the arrangements that the system offers and that are worth measuring. */
  List<Arrangement> arrangements();

  /**
   * Finds the system's software, or builds it.
   *
   * @throws AbsentException if that is not possible here
   */
  Program prepare(Workshop workshop) throws AbsentException;

  /**
   * Starts the servers, and waits until they listen.
   *
   * @throws AbsentException if a server ends, or does not listen in time
   */
  Deployment start(Program program, Arrangement arrangement, Site site) throws AbsentException;
}
