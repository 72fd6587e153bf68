package corfu.peers.system;

import java.util.List;

/** A system that can be measured. Stateless. */
public interface Peer {

  /** What it is called on command lines and in tables. */
  String name();

  /** What an append is, where that is not plain. */
  String append();

  /** What it can promise and is worth measuring with. */
  List<Arrangement> arrangements();

  /**
   * Finds its software, or makes it.
   *
   * @throws AbsentException if that is not possible here
   */
  Program prepare(Workshop workshop) throws AbsentException;

  /**
   * Starts its servers, and waits until they listen.
   *
   * @throws AbsentException if they end, or do not listen in time
   */
  Deployment start(Program program, Arrangement arrangement, Site site) throws AbsentException;
}
