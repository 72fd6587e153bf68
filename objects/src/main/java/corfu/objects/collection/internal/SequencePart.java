package corfu.objects.collection.internal;

/** A part of a sequence that a change touches, other than a single index or the whole sequence. */
enum SequencePart {
  /** An element was removed from, or added at, the front, which shifts all indexes. */
  FRONT("its front"),
  /** An element was added at the end. */
  LENGTH("its length"),
  /** An element was removed from the end. */
  END("its end"),
  /** An element was replaced, at any index. Each index also has a key of its own. */
  ELEMENT("an element");

  private final String text;

  SequencePart(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
