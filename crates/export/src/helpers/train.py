def train(heap=None, epochs=None, watch=None):
    """The heap after all `train` items in order, from `heap` or from what locations hold at first.
    `epochs` replaces what each item says; `watch(heap)` is called after each epoch."""
    heap = initial_heap() if heap is None else heap
    for step, samples, own in trainings():
        for _ in range(own if epochs is None else epochs):
            heap = epoch(step, heap, samples)
            if watch is not None:
                watch(heap)
    return heap
