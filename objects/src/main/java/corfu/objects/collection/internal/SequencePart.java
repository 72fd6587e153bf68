package corfu.objects.collection.internal;

/** What changes in a sequence when it is not one element, or everything. */
enum SequencePart {
  /** Something was taken from, or put at, the front: all indexes mean something else. */
  FRONT("its front"),
  /** Something was put at the end. */
  LENGTH("its length"),
  /** Something was taken from the end. */
  END("its end"),
  /** An element has become another one, at whatever index; there is a key for each index, too. */
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
