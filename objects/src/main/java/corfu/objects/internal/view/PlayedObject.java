package corfu.objects.internal.view;

import corfu.objects.internal.checkpoint.CheckpointTracker;
import corfu.objects.internal.checkpoint.CheckpointedObject;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.Playable;
import corfu.objects.internal.state.State;
import corfu.protocol.Address;
import corfu.protocol.Epoch;

/**
 * An object as its players need it: what it is, and what a player tells the view that it keeps up
 * to date.
 *
 * @param <T> the object's type
 */
interface PlayedObject<T> extends Playable, CheckpointedObject<T> {

  /** Returns the object's checkpoints. */
  Checkpoints<T> checkpoints();

  /** Returns whether the object is of the type that it is opened as. */
  TypeCheck typeCheck();

  /** Returns how much has changed since the last checkpoint. */
  CheckpointTracker<T> tracker();

  /** Returns entries of this object that this client has appended. */
  OwnEntries own();

  /** Returns the listener that the view's own player tells what it does. */
  PlaybackListener listener();

  /** Returns the state as it was at this log address, and will be. */
  State<T> at(Address before);

  /** Returns whether the view's prefix is of this epoch. */
  boolean isOfItsEpoch(Epoch epoch);

  /** The view's player begins at a state whose values stay at this log address. */
  void beginsAt(long anchor);

  /** The view's state can't be used any more, and is being made anew. */
  void lost();

  /** A player has played one more entry: a call that plays many gets more time for them. */
  void movedOne();
}
