package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import java.util.List;

/** A system that can be measured. Stateless. */
public interface PeerSystem {

  /** Returns the system's name on command lines and in tables. */
  String name();

  /** Returns a description of the operation that counts as an append. */
  String append();

  /** Returns the arrangements that the system offers and that are worth measuring. */
  List<Replication> arrangements();

  /**
   * Finds the system's software, or builds it.
   *
   * @throws AbsentException if that is not possible here
   */
  Program prepare(ProgramCache workshop) throws AbsentException;

  /**
   * Starts the servers, and waits until they listen.
   *
   * @throws AbsentException if a server ends, or does not listen in time
   */
  Deployment start(Program program, Replication arrangement, PeerSite site) throws AbsentException;
}
