; Comments, for links and words such as TODO.

((line_comment) @injection.content (#set! injection.language "comment"))
((block_comment) @injection.content (#set! injection.language "comment"))
