-- A filter of Pandoc, which Quarto uses: a block of class `fletch` becomes one that `embed.js` finds, and `diagram="R_MLP"` on it puts the
-- diagram of that command after it, as SVG (`diagram="main"` that of the whole; `only="true"` leaves the program out). `panes` and `readonly`
-- go along. The program `fletch` is that of the environment variable FLETCH, or found in PATH.

local function escaped(text)
  return (text:gsub('[&<>"]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }))
end

local function option(block, name)
  local value = block.attributes[name]
  return value and (' data-%s="%s"'):format(name, escaped(value)) or ''
end

function CodeBlock(block)
  if not block.classes:includes('fletch') or not FORMAT:match('html') and not FORMAT:match('revealjs') then return nil end
  local found = pandoc.List()
  if block.attributes.only ~= 'true' then
    local code = ('<pre><code class="language-fletch"%s%s>%s</code></pre>')
    found:insert(pandoc.RawBlock('html', code:format(option(block, 'panes'), option(block, 'readonly'), escaped(block.text))))
  end
  local of = block.attributes.diagram
  if of then
    local fletch = os.getenv('FLETCH') or 'fletch'
    local drawn, svg = pcall(pandoc.pipe, fletch, { 'diagram', '-', '--of', of }, block.text .. '\n')
    if not drawn then error('the diagram of `' .. of .. '` cannot be drawn: `fletch check` says why') end
    found:insert(pandoc.RawBlock('html', '<figure class="fletch-diagram">' .. svg .. '</figure>'))
  end
  return found
end
